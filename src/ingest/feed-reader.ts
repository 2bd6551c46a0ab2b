/** Reads a feed: bytes of a file to batches of products. */
import type { PreparedProduct } from "../catalog/entry.ts";
import { type SkipReason, unpackDocuments } from "../feed/container.ts";
import { FeedError, FeedRefused, FeedUnreadable } from "../feed/feed-error.ts";
import { utf8Document } from "../feed/utf8-document.ts";
import type { Complaint } from "../onix/complaint.ts";
import type { MessageHeader } from "../onix/message-header.ts";
import { DocumentReader } from "./document-reader.ts";
import { DigestedBytes, FeedDigest } from "./feed-digest.ts";
import type { Scanners } from "./scan/scanners.ts";

export interface FeedBatch {
  /** The name of the feed, or of the file inside a ZIP archive. */
  readonly file: string;
  /** The number of the document within the feed, from 1. */
  readonly document: number;
  /** Undefined for a file in an archive that is not a feed. Such a batch has no products. */
  readonly header: MessageHeader | undefined;
  readonly products: readonly PreparedProduct[];
  /** Complaints about the ONIX message, not about one product. */
  readonly complaints: readonly Complaint[];
  /** The number of bytes of the feed that were read so far, before decompression. */
  readonly bytesRead: number;
}

/** Reads a feed, and its digest on the way. Throws an ImportError that names it when it cannot be read. */
export async function* readFeed(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  scanners: Scanners,
  chunkBytes?: number,
  digest: FeedDigest = new FeedDigest(),
): AsyncGenerator<FeedBatch> {
  let document = 0;
  let file = name;
  const skipped: [path: string, reason: SkipReason][] = [];
  const digested = new DigestedBytes(readable(name, bytes), digest);
  const documents = unpackDocuments(digested, name, (...file) => skipped.push(file));
  try {
    for (;;) {
      const { value: next, done } = await documents.next();
      for (const [path, reason] of skipped.splice(0)) yield skippedFile(path, reason, document, digest.bytes);
      if (done) {
        // Bytes may follow the end of an archive.
        await digested.readToEnd();
        return;
      }
      document++;
      file = next.name;
      const complaints: Complaint[] = [];
      const warn = (text: string, line: number, column: number) =>
        complaints.push({ kind: "encoding", text, line, column });
      const utf8 = utf8Document(next.bytes, warn);
      const reader = new DocumentReader(utf8, scanners, () => complaints.splice(0), chunkBytes);
      for await (const batch of reader.batches()) yield { ...batch, file, document, bytesRead: digest.bytes };
    }
  } catch (error) {
    throw error instanceof FeedError ? new FeedRefused(`${file}: ${error.message}`) : error;
  } finally {
    // Not awaited: a read of standard input that has begun may take forever.
    documents.return().catch(() => {});
    digested.close();
  }
}

async function* readable(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const advice = code === "EACCES" ? "; give this user the right to read it" : "";
    throw new FeedUnreadable(`${name}: cannot be read: ${message}${advice}`);
  }
}

const SKIP_COMPLAINTS: Readonly<Record<SkipReason, Pick<Complaint, "kind" | "text">>> = {
  "not-a-feed": { kind: "skipped-file", text: "The file in the archive is not a feed: it was skipped." },
  hidden: { kind: "skipped-file", text: "The file in the archive is hidden: it was skipped." },
  "hidden-feed": {
    kind: "skipped-feed",
    text: "The file in the archive looks like a feed, but is hidden: it was skipped.",
  },
};

function skippedFile(path: string, reason: SkipReason, document: number, bytesRead: number): FeedBatch {
  const complaint: Complaint = { ...SKIP_COMPLAINTS[reason], line: 1, column: 1 };
  return { file: path, document, header: undefined, products: [], complaints: [complaint], bytesRead };
}

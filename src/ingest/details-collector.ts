/** Collects what the history of imports keeps of a running import, in bounded memory. */
import {
  feedName,
  headerFields,
  type ImportDetails,
  type ReadFeed,
} from "../catalog/history/import-details.ts";
import { ComplaintCollector } from "../catalog/history/kept-complaints.ts";
import type { StartedImport } from "../catalog/import-run.ts";
import type { ReportedComplaint } from "../catalog/report.ts";
import type { FeedBatch } from "./feed-reader.ts";
import type { FeedSource } from "./feed-source.ts";

/** The messages of one archive that are kept. */
const MAX_MESSAGES = 1000;

/** A message, with its number within the import. */
type Message = Pick<ReadFeed, "number" | "name" | "sender" | "sent" | "messageNumber">;

export class DetailsCollector {
  /** The revision that the import began with. */
  revisionBefore: string | undefined;
  readonly #sources = new Map<FeedSource, Message[]>();
  readonly #complaints = new ComplaintCollector();
  /** The number of the last message. */
  #messages = 0;

  beginSource(source: FeedSource): void {
    this.#sources.set(source, []);
  }

  /** `number` is that of the feed within the import. */
  addBatch(source: FeedSource, number: number, { header, file }: FeedBatch): void {
    const messages = this.#sources.get(source)!;
    if (header === undefined || number <= this.#messages || messages.length >= MAX_MESSAGES) return;
    this.#messages = number;
    messages.push({ number, name: feedName(source.name, file), ...headerFields(header) });
  }

  addComplaint(complaint: ReportedComplaint): void {
    this.#complaints.add(complaint);
  }

  details({ durationMs }: StartedImport): ImportDetails {
    const sources = [...this.#sources.keys()];
    const nameOf = (file: string) =>
      feedName(sources.find(({ name }) => file.startsWith(name))?.name ?? file, file);
    return {
      durationMs,
      revisionBefore: this.revisionBefore,
      feeds: [...this.#sources].flatMap(([source, messages]) => this.#feedsOf(source, messages)),
      complaints: this.#complaints.kept(nameOf),
    };
  }

  #feedsOf({ digest, sizeBytes, name }: FeedSource, messages: readonly Message[]): ReadFeed[] {
    digest.completeAt(sizeBytes);
    const { bytes, sha256 } = digest;
    if (messages.length > 0) return messages.map((message) => ({ ...message, sha256, bytes }));
    // A feed that broke off before its first message is listed too.
    const number = ++this.#messages;
    return [{ number, name: feedName(name, name), sha256, bytes, ...headerFields(undefined) }];
  }
}

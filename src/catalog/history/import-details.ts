/** What the history of imports keeps of an import beside its run. Feeds may be hostile, so everything is bounded. */
import { basename, dirname } from "node:path";
import type { MessageHeader } from "../../onix/message-header.ts";
import { type KeptComplaints, keptText, NO_COMPLAINTS } from "./kept-complaints.ts";

/** A feed that an import has read: a file, standard input, or one message of an archive. */
export interface ReadFeed {
  /** Counted from 1 within the import, as `ImportSteps` counts feeds. */
  readonly number: number;
  /** The name of the file, without its folder; for a message of an archive, also its path in it. */
  readonly name: string;
  /** The digest of the file as it was given. Undefined when it was not read to its end. */
  readonly sha256: string | undefined;
  /** The bytes of the file that were read. */
  readonly bytes: number;
  readonly sender: string | undefined;
  /** SentDateTime and MessageNumber, as written. */
  readonly sent: string | undefined;
  readonly messageNumber: string | undefined;
}

export interface ImportDetails {
  readonly durationMs: number;
  /** The revision that the import began with. Undefined when it did not begin. */
  readonly revisionBefore: string | undefined;
  readonly feeds: readonly ReadFeed[];
  readonly complaints: KeptComplaints;
}

/** For an import of which nothing else is known. */
export const NO_DETAILS: ImportDetails = {
  durationMs: 0,
  revisionBefore: undefined,
  feeds: [],
  complaints: NO_COMPLAINTS,
};

const MAX_NAME_CHARS = 255;
const MAX_SENDER_CHARS = 255;
/** Of SentDateTime and MessageNumber. Longer ones would not fit into a page of SQLite with the others of a row. */
const MAX_MARK_CHARS = 40;

/** Returns the name of a feed. `path` is that of the file, and `file` that of the file or of a message in it. */
export function feedName(path: string, file: string): string {
  const folder = dirname(path);
  const isInside = folder !== "." && file.startsWith(`${folder}/`);
  return keptText(isInside ? file.slice(folder.length + 1) : file || basename(path), MAX_NAME_CHARS);
}

/** Returns what is kept of the header of a message. */
export function headerFields(
  header: Pick<MessageHeader, "sender" | "sent" | "messageNumber"> | undefined,
): Pick<ReadFeed, "sender" | "sent" | "messageNumber"> {
  const kept = (text: string | undefined, maxChars: number) =>
    text === undefined ? undefined : keptText(text, maxChars);
  return {
    sender: kept(header?.sender?.name, MAX_SENDER_CHARS),
    sent: kept(header?.sent, MAX_MARK_CHARS),
    messageNumber: kept(header?.messageNumber, MAX_MARK_CHARS),
  };
}

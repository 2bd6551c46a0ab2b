/** The order in which feeds are imported: that in which each sender has sent them. */
import { sentAtMs } from "../../catalog/rules/message-order.ts";
import type { MessageHeader } from "../../onix/message-header.ts";
import { type FoundFile, modifiedMs } from "./folder/found-file.ts";

export interface OrderedFeed {
  readonly file: FoundFile;
  /** Feeds of one sender have the same. A feed without a readable header has its own. */
  readonly sender: string;
  readonly header: MessageHeader | undefined;
}

/**
 * Sorts by SentDateTime, where there is none by the time of the file. Messages of a sender with the same time follow
 * their numbers. Feeds of different senders are in one order too: the later one wins where both have a book.
 */
export function orderFeeds(
  files: readonly FoundFile[],
  headerOf: (file: FoundFile) => MessageHeader | undefined,
): OrderedFeed[] {
  return files
    .map((file) => {
      const header = headerOf(file);
      const sender = header ? `sender:${header.sender?.key ?? ""}` : `file:${file.name}`;
      const fileMs = modifiedMs(file.stamp);
      const timeMs = sentAtMs(header?.sent) ?? fileMs;
      return { file, sender, header, timeMs, fileMs, number: numberOf(header) };
    })
    .sort(
      (a, b) =>
        compare(a.timeMs, b.timeMs) ||
        compare(a.sender, b.sender) ||
        compare(a.number, b.number) ||
        compare(a.fileMs, b.fileMs) ||
        compare(a.file.name, b.file.name),
    )
    .map(({ file, sender, header }) => ({ file, sender, header }));
}

/** Returns the MessageNumber. A message without one comes before those that have one. */
function numberOf(header: MessageHeader | undefined): bigint {
  const text = header?.messageNumber?.trim() ?? "";
  return /^\d+$/.test(text) ? BigInt(text) : -1n;
}

function compare<T extends number | bigint | string>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

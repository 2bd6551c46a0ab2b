/**
 * Cursors of paged lists: the place after which the next page begins. They are opaque to clients. A digest binds a
 * cursor to its list, so that one of another list, or one with a typing error, is refused. It is no secret: a cursor
 * tells nothing but an ISBN and days, and opens nothing that its list does not have.
 */
import type { ListKey } from "../../catalog/selection.ts";
import { type Day, parseDay } from "../../onix/date.ts";
import { type Isbn13, parseIsbn } from "../../onix/isbn.ts";

/** Changes when the content or the order of a list changes, so that older cursors are refused. */
const VERSION = 1;

const DIGEST_BYTES = 8;

/** Longer than every cursor: that of a search by title has a title key. */
const MAX_CURSOR_CHARS = 2000;

export interface Cursor {
  readonly key: ListKey;
  /** The last day of a list that depends on the day of its first page. */
  readonly lastDay?: Day | undefined;
}

/** `list` names the endpoint and its filters. */
export function encodeCursor(list: string, { key, lastDay }: Cursor): string {
  return sealText(list, [key.isbn, key.published, lastDay].join("."));
}

/** Returns undefined for what is no cursor of this list. */
export function decodeCursor(list: string, cursor: string): Cursor | undefined {
  const text = unsealText(list, cursor);
  if (text === undefined) return undefined;
  const [isbn = "", published = "", lastDay = ""] = text.split(".");
  const key = { isbn: parseIsbn(isbn) as Isbn13, published: parseDay(published) };
  return key.isbn === undefined ? undefined : { key, lastDay: parseDay(lastDay) };
}

/** Returns a text with its digest, in URL-safe characters. */
export function sealText(list: string, text: string): string {
  return Buffer.concat([digestOf(list, text), Buffer.from(text, "utf8")]).toString("base64url");
}

/** Returns undefined for what `sealText` has not made of this list. */
export function unsealText(list: string, sealed: string): string | undefined {
  if (sealed.length > MAX_CURSOR_CHARS) return undefined;
  const bytes = Buffer.from(sealed, "base64url");
  // Other texts with the same bytes are refused: a page has one URL.
  if (bytes.toString("base64url") !== sealed) return undefined;
  const text = bytes.toString("utf8", DIGEST_BYTES);
  return digestOf(list, text).equals(bytes.subarray(0, DIGEST_BYTES)) ? text : undefined;
}

function digestOf(list: string, text: string): Buffer {
  const input = `colophon cursor ${VERSION}\n${list}\n${text}`;
  return new Bun.CryptoHasher("sha256").update(input).digest().subarray(0, DIGEST_BYTES);
}

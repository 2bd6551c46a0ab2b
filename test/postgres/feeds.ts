/** Feeds for the tests on PostgreSQL and for those with a proxy. */
import { message, product } from "../../src/onix/testing/message.ts";

export const ISBN = "9788437604947";
export const OTHER = "9780199632091";
const LONG_LIST_LENGTH = 4000;
export const LAST_OF_LONG_LIST = String(9788400000000 + LONG_LIST_LENGTH - 1);

/** One small book of the imprint `sello`, and an imprint `long` with more bytes than socket buffers hold. */
export function longFeed(): string {
  const text = `<Text>${"more than the buffers of a socket hold ".repeat(300)}</Text>`;
  const books = Array.from({ length: LONG_LIST_LENGTH }, (_, index) =>
    product({ imprint: "Long", isbn: String(9788400000000 + index), text }),
  );
  return message(product({ isbn: ISBN }), ...books);
}

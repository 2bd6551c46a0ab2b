/** A generated feed of products with about 2 kB of text each. */
import { join } from "node:path";
import { completeIsbn13 } from "../../src/onix/isbn.ts";
import { product } from "../../src/onix/testing/message.ts";

/** The first products of the feed belong to this imprint, whose list is measured. */
export const MEASURED_IMPRINT = { name: "Measured", slug: "measured", records: 10_000 };

const TEXT_CHARACTERS = 2000;
const FLUSH_PRODUCTS = 1000;
const WORDS = Array.from({ length: 4000 }, (_, index) => Bun.hash.xxHash32(String(index)).toString(36));

/** Writes a feed to the folder and returns its path. */
export async function writeFeed(folder: string, products: number): Promise<string> {
  const path = join(folder, `feed-${products}.xml`);
  const sink = Bun.file(path).writer({ highWaterMark: 1 << 20 });
  sink.write(
    '<?xml version="1.0" encoding="UTF-8"?>\n<ONIXMessage release="3.0">\n<Header><Sender><SenderName>',
  );
  sink.write("Bench</SenderName></Sender><SentDateTime>20240101</SentDateTime></Header>\n");
  for (let number = 0; number < products; number++) {
    sink.write(
      product({
        isbn: isbnOf(number),
        title: `Title ${number}`,
        imprint: number < MEASURED_IMPRINT.records ? MEASURED_IMPRINT.name : `Imprint ${number % 500}`,
        date: `20${String(10 + (number % 15))}0${1 + (number % 9)}15`,
        text: `<Text>${textOf(number)}</Text>`,
      }),
    );
    if (number % FLUSH_PRODUCTS === 0) await sink.flush();
  }
  sink.write("</ONIXMessage>\n");
  await sink.end();
  return path;
}

/** Returns 978, the number in nine digits, and the check digit. `luaScript` and `PGBENCH_SCRIPT` compute the same. */
function isbnOf(number: number): string {
  const digits = `978${String(number).padStart(9, "0")}`;
  return completeIsbn13(digits);
}

/** Returns the same words for the same number (a linear congruential generator). */
function textOf(number: number): string {
  const words: string[] = [];
  let state = number + 1;
  for (let length = 0; length < TEXT_CHARACTERS; ) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    const word = WORDS[(state >>> 8) % WORDS.length]!;
    words.push(word);
    length += word.length + 1;
  }
  return words.join(" ");
}

/** A feed of as many products as wanted, each unlike the others, for measurements. */
import { join } from "node:path";
import { product } from "../src/onix/testing/message.ts";

/** Of the products with the numbers from 0 on, so many are of the first imprint, which is measured. */
export const OF_ONE_IMPRINT = 10_000;
export const IMPRINT = "Measured";

const WORDS = Array.from({ length: 4000 }, (_, at) => Bun.hash.xxHash32(String(at)).toString(36));

export function isbnOf(number: number): string {
  const digits = `978${String(number).padStart(9, "0")}`;
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return digits + String((10 - (sum % 10)) % 10);
}

/** The same text for the same number, about 2 kB. */
function textOf(number: number): string {
  const words: string[] = [];
  let state = number + 1;
  for (let length = 0; length < 2000; ) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    const word = WORDS[(state >>> 8) % WORDS.length]!;
    words.push(word);
    length += word.length + 1;
  }
  return `<Text>${words.join(" ")}</Text>`;
}

export async function writeFeed(folder: string, products: number): Promise<string> {
  const path = join(folder, `feed-${products}.xml`);
  const sink = Bun.file(path).writer({ highWaterMark: 1 << 20 });
  sink.write(
    '<?xml version="1.0" encoding="UTF-8"?>\n<ONIXMessage release="3.0">\n<Header><Sender><SenderName>',
  );
  sink.write("Bench</SenderName></Sender><SentDateTime>20240101</SentDateTime></Header>\n");
  for (let number = 0; number < products; number++) {
    const isbn = isbnOf(number);
    sink.write(
      product({
        isbn,
        title: `Title ${number}`,
        imprint: number < OF_ONE_IMPRINT ? IMPRINT : `Imprint ${number % 500}`,
        date: `20${String(10 + (number % 15))}0${1 + (number % 9)}15`,
        text: textOf(number),
      }),
    );
    if (number % 1000 === 0) await sink.flush();
  }
  sink.write("</ONIXMessage>\n");
  await sink.end();
  return path;
}

/** Entries as one ONIX message. */
import type { Awaitable } from "../../lib/awaitable.ts";
import { type MessageOptions, messageEnd, messageStart, noProduct } from "../../onix/writer/message.ts";
import { type WriteProductOptions, writeProduct } from "../../onix/writer/product-writer.ts";
import type { Entry } from "../store.ts";
import type { ListWriter } from "./list-writer.ts";

/** The parts of an entry that a product is written from. */
export type OnixEntry = Pick<Entry, "body" | "reference" | "origin">;

export type OnixOptions = Omit<MessageOptions, "sender"> & WriteProductOptions;

const SENDER = "Colophon";

/** Returns a product as text, or a promise of it. */
type WriteProduct = (entry: OnixEntry, options: OnixOptions) => Awaitable<string | Uint8Array>;

export function productText({ body, reference, origin }: OnixEntry, options: OnixOptions): string {
  return writeProduct(JSON.parse(decoder.decode(body)), reference, JSON.parse(origin), options);
}

export function onixOfEntries(
  options: OnixOptions,
  writeProduct: WriteProduct = productText,
): ListWriter<OnixEntry> {
  const { tags } = options;
  let isEmpty = true;
  return {
    begin: (output) => output.write(messageStart({ ...options, sender: SENDER })),
    write(entry, output) {
      isEmpty = false;
      const product = writeProduct(entry, options);
      return product instanceof Promise ? product.then((late) => output.write(late)) : output.write(product);
    },
    end: (output) => output.write((isEmpty ? noProduct(tags) : "") + messageEnd(tags)),
  };
}

const decoder = new TextDecoder();

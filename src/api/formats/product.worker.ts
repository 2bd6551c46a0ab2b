/** A thread that writes products of ONIX and rows of CSV, in the order in which it receives their books. */
import { summaryCsvLine } from "../../catalog/formats/csv.ts";
import { type OnixEntry, type OnixOptions, productText } from "../../catalog/formats/onix.ts";
import { errorMessage } from "../../lib/error-message.ts";

declare const self: Worker;

export type ProductRequest =
  | { readonly entry: OnixEntry; readonly options: OnixOptions }
  | { readonly summary: Uint8Array };

export type ProductReply =
  | { readonly product: Uint8Array<ArrayBuffer> }
  | { readonly product?: undefined; readonly failure: string };

self.onmessage = ({ data }: MessageEvent<ProductRequest>) => {
  const reply = replyTo(data);
  self.postMessage(reply, reply.product ? [reply.product.buffer] : []);
};

function replyTo(request: ProductRequest): ProductReply {
  try {
    const text =
      "summary" in request ? summaryCsvLine(request.summary) : productText(request.entry, request.options);
    return { product: new TextEncoder().encode(text) };
  } catch (error) {
    return { failure: errorMessage(error) };
  }
}

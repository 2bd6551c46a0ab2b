/** A thread that writes products of ONIX, in the order in which it receives their entries. */
import { type OnixEntry, type OnixOptions, productText } from "../../catalog/formats/onix.ts";
import { errorMessage } from "../../lib/error-message.ts";

declare const self: Worker;

export interface ProductRequest {
  readonly entry: OnixEntry;
  readonly options: OnixOptions;
}

export type ProductReply =
  | { readonly product: Uint8Array<ArrayBuffer> }
  | { readonly product?: undefined; readonly failure: string };

self.onmessage = ({ data }: MessageEvent<ProductRequest>) => {
  const reply = replyTo(data);
  self.postMessage(reply, reply.product ? [reply.product.buffer] : []);
};

function replyTo({ entry, options }: ProductRequest): ProductReply {
  try {
    return { product: new TextEncoder().encode(productText(entry, options)) };
  } catch (error) {
    return { failure: errorMessage(error) };
  }
}

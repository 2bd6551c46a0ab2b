/** What a scanner returns for a chunk of a message, and what it needs to know of the chunks before. */
import type { Position } from "../../xml/position.ts";
import type { DocumentContext } from "../../xml/tokenizer.ts";
import type { Complaint } from "../complaint.ts";
import type { MessageHeader } from "../message-header.ts";
import type { ScannedProduct } from "../scanned-product.ts";

/** What a chunk needs to know of the document before it. Plain data, which can be sent to other threads. */
export interface MessageContext {
  readonly document: DocumentContext;
  readonly header: MessageHeader;
  /** A product has been read, so a Header that follows comes too late. */
  readonly hasProducts: boolean;
  /** A Header has been read. The first one counts. */
  readonly hasHeader: boolean;
}

export type ChunkResult = ScannedChunk | ChunkError;

/** Positions are relative to the chunk. */
export interface ScannedChunk {
  readonly kind: "scanned";
  readonly products: readonly ScannedProduct[];
  /** Complaints about the message as a whole. */
  readonly complaints: readonly Complaint[];
  /** Undefined while the root element has not been read. */
  readonly context: MessageContext | undefined;
  /** The bytes up to the last boundary between children of the root. The rest belongs to the next chunk. */
  readonly consumed: number;
  /** The position of `consumed`. */
  readonly end: Position;
}

export interface ChunkError {
  readonly kind: "error";
  readonly message: string;
  readonly position: Position;
}

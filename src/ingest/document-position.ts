/** Positions in a document, of what was found at a position within a chunk of it. */
import type { Complaint } from "../onix/complaint.ts";
import { findPosition, type Position } from "../xml/position.ts";

export const DOCUMENT_START: Position = { line: 1, column: 1 };

/** Returns the position in the document. The chunk begins at `start`, and `position` is relative to it. */
export function positionFrom(start: Position, { line, column }: Position): Position {
  return { line: start.line + line - 1, column: line === 1 ? start.column + column - 1 : column };
}

/** Returns the position after bytes that begin at `start`. */
export function positionAfterBytes(start: Position, bytes: Uint8Array): Position {
  return positionFrom(start, findPosition(bytes, bytes.length));
}

export function complaintsFrom(start: Position, complaints: readonly Complaint[]): readonly Complaint[] {
  return complaints.length === 0
    ? complaints
    : complaints.map((complaint) => ({ ...complaint, ...positionFrom(start, complaint) }));
}

/** What the client wants, and what it has: RFC 9110, 12.5 and 13.1.2. */

import { detachString } from "../../lib/detach-string.ts";
import { CODINGS, type Coding } from "./content-coding.ts";

/** The coding to answer in. */
export interface CodingChoice {
  /** Undefined: none, the bytes as they are. */
  readonly coding: Coding | undefined;
  /** Whether the bytes may also be sent as they are, where a coding would not pay. */
  readonly identity: boolean;
}

const PLAIN: CodingChoice = { coding: undefined, identity: true };

/** A client sends the same header with every request. More than these are made up, and parsed each time. */
const MOST_REMEMBERED = 256;

function remembering<T>(parse: (header: string) => T): (header: string) => T {
  const known = new Map<string, T>();
  return (header) => {
    if (known.has(header)) return known.get(header)!;
    const parsed = parse(header);
    if (known.size < MOST_REMEMBERED && header.length < 512) known.set(detachString(header), parsed);
    return parsed;
  };
}

const parseAcceptEncoding = remembering((header: string): CodingChoice | undefined => {
  const weights = new Map(
    itemsOf(header).map(({ name, q }) => [name === "x-gzip" ? "gzip" : name, q] as const),
  );
  const others = weights.get("*");
  // RFC 9110, 12.5.3: identity is acceptable unless it, or `*` without it, has the weight 0.
  const identity = weights.get("identity") ?? (others === 0 ? 0 : undefined);
  let best: Coding | undefined;
  let weight = 0;
  for (const coding of CODINGS) {
    const q = weights.get(coding) ?? others ?? 0;
    if (q > weight) [best, weight] = [coding, q];
  }
  if (best === undefined) return identity === 0 ? undefined : PLAIN;
  // A client that names identity with more weight than any coding has said what it prefers.
  if (identity !== undefined && identity > weight) return PLAIN;
  return { coding: best, identity: identity !== 0 };
});

/** Undefined: nothing that we have is acceptable. */
export function chooseCoding(acceptEncoding: string | null): CodingChoice | undefined {
  return acceptEncoding === null ? PLAIN : parseAcceptEncoding(acceptEncoding);
}

const JSON_RANGES = ["*/*", "application/*", "application/json"];

const parseAccept = remembering((header: string): boolean => {
  const items = itemsOf(header);
  // RFC 9110, 12.5.1: the most specific range decides. An empty list names nothing, and excludes nothing.
  if (items.length === 0) return true;
  let accepted = false;
  for (const range of JSON_RANGES) {
    const weights = items.filter(({ name }) => name === range).map(({ q }) => q);
    if (weights.length > 0) accepted = Math.max(...weights) > 0;
  }
  return accepted;
});

export function acceptsJson(accept: string | null): boolean {
  return accept === null || parseAccept(accept);
}

/**
 * Whether the client has the very representation that it would get now. Weak comparison, as a proxy between us
 * may have weakened the tag (RFC 9110, 13.1.2).
 */
export function hasTag(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch === tag || ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(tag) ?? false;
}

/** The items of a list with weights. A weight that is no number counts as 0: the client cannot have meant 1. */
function itemsOf(header: string): { name: string; q: number }[] {
  const items: { name: string; q: number }[] = [];
  for (const item of header.split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
    if (name === "") continue;
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
    items.push({
      name,
      q: weight === undefined ? 1 : weightOf(weight.slice(weight.indexOf("=") + 1).trim()),
    });
  }
  return items;
}

function weightOf(text: string): number {
  return /^(0(\.[0-9]{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}

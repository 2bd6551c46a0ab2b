/** Content negotiation and conditional requests: RFC 9110 §12.5 and §13.1.2. */
import { FORMATS, type Format, MEDIA_TYPES } from "../../catalog/formats/format.ts";
import { detachString } from "../../lib/text.ts";
import { CODINGS, type Coding } from "./content-coding.ts";

export interface CodingChoice {
  /** Undefined when the bytes are sent as they are. */
  readonly coding: Coding | undefined;
  /** Whether the bytes may also be sent as they are, where a coding would not pay. */
  readonly acceptsIdentity: boolean;
}

const IDENTITY: CodingChoice = { coding: undefined, acceptsIdentity: true };

/**
 * Longer values of `Accept` and `Accept-Encoding` are not parsed, and count as absent. RFC 9110 §12.1: a client cannot
 * rely on its preferences being honored. Browsers send up to 200 characters.
 */
const MAX_PREFERENCE_CHARS = 1024;

/** Clients send the same few headers with every request. Others are parsed each time. */
const MAX_CACHED_HEADERS = 256;
const MAX_CACHED_HEADER_CHARS = 512;

function memoize<T>(parse: (header: string) => T): (header: string) => T {
  const cache = new Map<string, T>();
  return (header) => {
    if (cache.has(header)) return cache.get(header)!;
    const parsed = parse(header);
    if (cache.size < MAX_CACHED_HEADERS && header.length < MAX_CACHED_HEADER_CHARS)
      cache.set(detachString(header), parsed);
    return parsed;
  };
}

const parseAcceptEncoding = memoize((header: string): CodingChoice | undefined => {
  const weights = new Map(
    parseWeightedList(header).map(({ name, q }) => [name === "x-gzip" ? "gzip" : name, q] as const),
  );
  const anyOther = weights.get("*");
  // RFC 9110 §12.5.3: identity is acceptable unless it, or `*` without it, has the weight 0.
  const identity = weights.get("identity") ?? (anyOther === 0 ? 0 : undefined);
  let best: Coding | undefined;
  let bestWeight = 0;
  for (const coding of CODINGS) {
    const q = weights.get(coding) ?? anyOther ?? 0;
    if (q > bestWeight) [best, bestWeight] = [coding, q];
  }
  if (best === undefined) return identity === 0 ? undefined : IDENTITY;
  // A client that gives identity more weight than any coding prefers it.
  if (identity !== undefined && identity > bestWeight) return IDENTITY;
  return { coding: best, acceptsIdentity: identity !== 0 };
});

/** Returns undefined when the client accepts nothing that we have. */
export function chooseCoding(acceptEncoding: string | null): CodingChoice | undefined {
  return isPreference(acceptEncoding) ? parseAcceptEncoding(acceptEncoding) : IDENTITY;
}

/** The media types of our responses that a client accepts. */
export interface AcceptedTypes {
  readonly json: boolean;
  /** application/problem+json, the type of errors. */
  readonly problem: boolean;
  /** Whether the header names the type of a format other than JSON. */
  readonly namesFormats: boolean;
  /** The formats that the client prefers to JSON, most preferred first. */
  readonly beforeJson: readonly Format[];
  /** Whether the header names text/html with more weight than JSON, as that of a browser does for a page. */
  readonly prefersHtml: boolean;
}

const ALL_TYPES: AcceptedTypes = {
  json: true,
  problem: true,
  namesFormats: false,
  beforeJson: [],
  prefersHtml: false,
};

const parseAccept = memoize((header: string): AcceptedTypes => {
  const items = parseWeightedList(header);
  // RFC 9110 §12.5.1: an empty list excludes nothing.
  if (items.length === 0) return ALL_TYPES;
  const json = weightOf(items, ["*/*", "application/*", "application/json"]);
  const problem = weightOf(items, ["*/*", "application/*", "application/problem+json"]) > 0;
  const named = namedFormats(items);
  const beforeJson = named.filter(({ weight }) => weight > json).map(({ format }) => format);
  const prefersHtml = weightOf(items, ["text/html"]) > json;
  return { json: json > 0, problem, namesFormats: named.length > 0, beforeJson, prefersHtml };
});

/** RFC 9110 §12.5.1: the most specific range decides. The ranges are in ascending order. */
function weightOf(items: readonly WeightedItem[], ranges: readonly string[]): number {
  let weight = 0;
  for (const range of ranges) {
    const weights = items.filter(({ name }) => name === range).map(({ q }) => q);
    if (weights.length > 0) weight = Math.max(...weights);
  }
  return weight;
}

/**
 * Returns the formats other than JSON that the header names, by weight. A range such as `text/*` names none, so clients
 * that name no format get JSON. A browser names application/xml beside text/html, and means pages: it gets JSON, too.
 */
function namedFormats(
  items: readonly WeightedItem[],
): { readonly format: Format; readonly weight: number }[] {
  const wantsPages = items.some(({ name }) => name === "text/html");
  return FORMATS.filter((format) => format !== "json" && !(wantsPages && format === "xml"))
    .map((format) => ({ format, weight: weightOf(items, [MEDIA_TYPES[format]]) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
}

export function acceptedTypes(accept: string | null): AcceptedTypes {
  return isPreference(accept) ? parseAccept(accept) : ALL_TYPES;
}

function isPreference(header: string | null): header is string {
  return header !== null && header.length <= MAX_PREFERENCE_CHARS;
}

/**
 * Weak comparison, as a proxy in between may have weakened the tag. RFC 9110 §13.1.2: the condition must be evaluated,
 * so a long list is searched, and not parsed. A tag has no quote inside: the one that is found is a member of the list.
 */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === "*") return true;
  for (let at = ifNoneMatch.indexOf(etag); at >= 0; at = ifNoneMatch.indexOf(etag, at + etag.length)) {
    const isStart = at === 0 || " \t,/".includes(ifNoneMatch[at - 1]!);
    const end = at + etag.length;
    if (isStart && (end === ifNoneMatch.length || " \t,".includes(ifNoneMatch[end]!))) return true;
  }
  return false;
}

interface WeightedItem {
  /** In lower case. */
  readonly name: string;
  readonly q: number;
}

/** Parses a list with weights (RFC 9110 §12.4.2). An invalid weight counts as 0: the client cannot have meant 1. */
function parseWeightedList(header: string): WeightedItem[] {
  const items: WeightedItem[] = [];
  for (const item of header.split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
    if (name === "") continue;
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
    items.push({
      name,
      q: weight === undefined ? 1 : parseWeight(weight.slice(weight.indexOf("=") + 1).trim()),
    });
  }
  return items;
}

function parseWeight(text: string): number {
  return /^(0(\.[0-9]{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}

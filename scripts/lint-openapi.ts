/**
 * `npx bun scripts/lint-openapi.ts [FOLDER]`: runs Redocly and Spectral on the OpenAPI document, and generates clients
 * with openapi-typescript and @hey-api/openapi-ts that must compile. FOLDER keeps the tools between runs.
 *
 * The tools have 324 packages with 138 MB, and Spectral takes most of a minute. So they are no dependencies, and
 * `src/api/openapi/document.test.ts` has the rules that the document has broken before.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { openApiDocument } from "../src/api/openapi/document.ts";
import { codeListIssue } from "../src/onix/code-lists.ts";

const TOOLS = [
  "@redocly/cli@2.73.0",
  "@stoplight/spectral-cli@6.16.3",
  "openapi-typescript@7.13.0",
  "@hey-api/openapi-ts@0.95.0",
  "typescript@5.9.3",
];

/** Reads a price, a cover and a date without a cast, from a record and from a response. */
const PROGRAM = `
export function facts(book: Book): (string | undefined)[] {
  const resources = book.CollateralDetail?.SupportingResource ?? [];
  const dates = book.PublishingDetail?.PublishingDate ?? [];
  return [
    book.ProductSupply?.[0]?.SupplyDetail?.[0]?.Price?.[0]?.PriceAmount,
    resources.find((each) => each.ResourceContentType === "01")?.ResourceVersion?.[0]?.ResourceLink?.[0],
    dates.find((each) => each.PublishingDateRole === "01")?.Date,
  ];
}
export function factsOf(found: Found): (string | null | undefined)[] {
  return "RecordReference" in found ? facts(found) : [found.prices?.[0]?.amount, found.cover, found.published];
}
// @ts-expect-error: a field that ONIX does not have is an error of types.
export const misspelled = (book: Book) => book.PublishingDetail?.PublishingDates;
`;

const IMPORTS = {
  "openapi-typescript.ts": `import type { components, paths } from "./schema.ts";
type Book = components["schemas"]["Book"];
type Found = paths["/api/isbn/{isbn}"]["get"]["responses"]["200"]["content"]["application/json"];`,
  "hey-api.ts": `import type { Book, GetBookResponses } from "./hey-api/types.gen.ts";
type Found = GetBookResponses[200];`,
};

const given = process.argv[2];
const folder = given ?? mkdtempSync(join(tmpdir(), "colophon-openapi-"));
mkdirSync(folder, { recursive: true });
try {
  await lint();
} finally {
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
}

async function lint(): Promise<void> {
  if (!existsSync(join(folder, "node_modules/.bin/spectral"))) {
    await Bun.write(join(folder, "package.json"), "{}");
    run("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", ...TOOLS);
  }
  const document = openApiDocument({ version: packageJson.version, codeListIssue });
  await Bun.write(join(folder, "openapi.json"), JSON.stringify(document));
  await Bun.write(join(folder, ".spectral.json"), '{"extends":["spectral:oas"]}');
  const redocly = run(tool("redocly"), "lint", "--format", "json", "openapi.json");
  const { errors, warnings } = JSON.parse(redocly).totals;
  if (errors + warnings > 0) throw new Error(`redocly: ${redocly}`);
  run(tool("spectral"), "lint", "--fail-severity", "hint", "--ruleset", ".spectral.json", "openapi.json");
  run(tool("openapi-typescript"), "openapi.json", "--output", "schema.ts");
  run(tool("openapi-ts"), "--input", "openapi.json", "--output", "hey-api");
  for (const [file, imports] of Object.entries(IMPORTS))
    await Bun.write(join(folder, file), imports + PROGRAM);
  const options =
    "--noEmit --strict --noUncheckedIndexedAccess --allowImportingTsExtensions --module esnext --moduleResolution bundler --target es2022 --lib es2022,dom,dom.iterable";
  run(tool("tsc"), ...options.split(" "), ...Object.keys(IMPORTS), "hey-api/sdk.gen.ts");
  console.info("Both linters found nothing, and both clients compile.");
}

function tool(name: string): string {
  return join(folder, "node_modules/.bin", name);
}

/** Returns the standard output. Throws with all output when the program fails. */
function run(...command: string[]): string {
  console.info(`${command.slice(0, 2).join(" ").replaceAll(folder, "")} …`);
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: folder });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stdout}${stderr}`);
  return stdout.toString();
}

import { existsSync } from "node:fs";
import { issueToken } from "../api/auth/issue-token.ts";
import {
  commandOn,
  createCatalog,
  isPostgresUrl,
  READING,
  storeOptions,
  withStore,
} from "./config/store-location.ts";
import { generatedSecretFile, readTokenConfig } from "./config/token-config.ts";
import { CommandError, EXIT } from "./terminal/arguments.ts";
import { defineCommand } from "./terminal/command.ts";
import { print } from "./terminal/standard-output.ts";

const FIRST_TOKEN = { name: "colophon init", days: 90 };

export const command = defineCommand(
  ["colophon init --db /var/lib/colophon/catalog.db", "TOKEN=$(colophon init)"],
  {
    options: storeOptions,
    about: "creates a catalog with its folder and secret, and prints a first token",
    run: ({ storeLocation }) => init(storeLocation),
  },
);

/** Only this command creates a catalog unasked: a service on an empty volume must not look healthy. */
async function init(location: string): Promise<number> {
  const place = isPostgresUrl(location) ? "the database" : location;
  const exists = () =>
    new CommandError(
      `there is a catalog in ${place} already, and it is unchanged: issue a token with "colophon token --name NAME", or name another place with --db`,
    );
  if (!isPostgresUrl(location) && existsSync(location)) {
    // A folder or another file is reported as such.
    await withStore(location, READING, async () => {});
    throw exists();
  }
  const secretFile = generatedSecretFile(location);
  if (secretFile !== undefined && !existsSync(secretFile) && existsSync(`${location}.tokens`)) {
    throw new CommandError(
      `${location}.tokens is there without its catalog and its secret: restore both from a backup; or move it away to begin anew, with a new secret for which its tokens are not valid`,
    );
  }
  // First of all: a key that cannot be used must not leave a catalog without a token.
  const config = await readTokenConfig(location, { tokens: { list: () => [] } });
  if (!(await createCatalog(location))) throw exists();
  const hasToken = config.keys.signingKey !== undefined;
  await withStore(location, { create: false, registry: "required" }, async ({ tokens }) => {
    if (hasToken) await print(await issueToken({ ...config, tokens, ...FIRST_TOKEN }));
  });
  console.error(nextSteps(location, place, hasToken));
  return EXIT.ok;
}

function nextSteps(location: string, place: string, hasToken: boolean): string {
  const secretFile = generatedSecretFile(location);
  return [
    `An empty catalog was created in ${place}.`,
    hasToken
      ? `The token is valid for ${FIRST_TOKEN.days} days and not stored anywhere.`
      : "Tokens come from your identity provider.",
    ...(secretFile ? [`Store a copy of ${secretFile} where you store passwords: no backup has it.`] : []),
    "Next:",
    `  ${commandOn(location, "import")} FEED`,
    `  ${commandOn(location, "serve")}`,
  ].join("\n");
}

import { issueToken } from "../api/auth/issue-token.ts";
import { rotateSecretFile } from "../api/auth/keys/secret-file.ts";
import type { Store } from "../catalog/store.ts";
import { StoreError } from "../catalog/store-errors.ts";
import { holdReserve, releaseReserve } from "../stores/sqlite/disk-space.ts";
import { escapeControls } from "../telemetry/printable.ts";
import {
  createOption,
  isPostgresUrl,
  newRegistryOption,
  requireCatalog,
  storeOptions,
  withStore,
} from "./config/store-location.ts";
import { generatedSecretFile, readTokenConfig } from "./config/token-config.ts";
import { CommandError, EXIT, UsageError } from "./terminal/arguments.ts";
import { defineCommand, flag, integer, option, type Settings } from "./terminal/command.ts";
import { print } from "./terminal/standard-output.ts";

const catalogOptions = { ...storeOptions, create: createOption, newRegistry: newRegistryOption };
const issueOptions = {
  name: option({ value: "NAME", default: "", isRequired: true, parse: parseName }),
  days: option({ default: "90", parse: integer(1, 3650) }),
  ...catalogOptions,
};
const listOptions = { json: flag(), ...catalogOptions };
const rotateOptions = {
  keepDays: option({
    name: "keep-days",
    default: "30",
    parse: integer(0, 3650),
    help: "days for which tokens of the old secret stay valid",
  }),
  ...storeOptions,
};

export const command = defineCommand(
  [
    'colophon token --name "Bookshop" --days 365',
    "colophon token list",
    "colophon token revoke 4f0c",
    "colophon token rotate",
  ],
  { options: issueOptions, about: "prints a new token", run: issue },
  { name: "list", options: listOptions, about: "prints the tokens", run: list },
  {
    name: "revoke",
    operands: "JTI",
    options: catalogOptions,
    about: "JTI: the id of any token, or the beginning of an id in the list",
    run: revoke,
  },
  {
    name: "rotate",
    options: rotateOptions,
    about: "makes a new secret beside the old one; SIGHUP loads it into a running service",
    run: rotate,
  },
);

function parseName(name: string): string {
  if (name.trim() !== "") return name;
  throw new UsageError('no name given: name the client of the token, as in --name "Bookshop"');
}

async function issue({ name, days, ...settings }: Settings<typeof issueOptions>): Promise<number> {
  return await withRegistry(settings, async ({ tokens }) => {
    const config = await readTokenConfig(settings.storeLocation, { tokens });
    await print(await issueToken({ ...config, tokens, name, days }));
  });
}

async function list({ json, ...settings }: Settings<typeof listOptions>): Promise<number> {
  return await withRegistry(settings, async (store) => {
    const tokens = await store.tokens.list();
    if (json) {
      await print(JSON.stringify(tokens, null, 2));
      return;
    }
    for (const token of tokens) {
      const state = token.revoked
        ? `revoked ${datePart(token.revoked)}`
        : `expires ${datePart(token.expires!)}`;
      const origin = token.name === undefined ? "not issued here" : `issued ${datePart(token.issued)}`;
      const line = `${token.id}  ${origin}  ${state}  ${token.name ?? ""}`;
      await print(escapeControls(line.trimEnd()));
    }
    if (tokens.length === 0) console.error("No token has been issued yet.");
  });
}

async function revoke(
  settings: Settings<typeof catalogOptions>,
  [given]: readonly string[],
): Promise<number> {
  if (!given) throw new UsageError('no token id given: "colophon token list" prints the ids');
  const revokeNow = () => withRegistry(settings, (store) => revokeIn(store, given));
  try {
    return await revokeNow();
  } catch (error) {
    const { storeLocation } = settings;
    if (!(error instanceof StoreError) || isPostgresUrl(storeLocation) || !releaseReserve(storeLocation))
      throw error;
    return await revokeNow();
  }
}

async function revokeIn({ tokens }: Store, given: string): Promise<void> {
  const known = (await tokens.list()).map((token) => token.id);
  const id = completeId(given, known);
  const isIssuedHere = await tokens.revoke(id, new Date().toISOString());
  console.error(
    isIssuedHere
      ? `The token ${escapeControls(id)} is revoked: the next request with it is refused.`
      : `The token is revoked, although it was not issued here: the next request with the jti ${escapeControls(id)} is refused.`,
  );
}

async function rotate({ keepDays, storeLocation }: Settings<typeof rotateOptions>): Promise<number> {
  const path = generatedSecretFile(storeLocation);
  if (path === undefined) {
    throw new CommandError(
      "the secret is not in a file of Colophon: set COLOPHON_JWT_SECRET to a new one and COLOPHON_JWT_SECRET_PREVIOUS to the old one, or change the keys of your identity provider",
    );
  }
  await requireCatalog(storeLocation, false);
  const keepUntilMs = Date.now() + keepDays * 86_400_000;
  const old = rotateSecretFile(path, keepUntilMs)
    ? `tokens of the old one are valid until ${datePart(new Date(keepUntilMs).toISOString())}`
    : "no token of the old one is valid any more";
  console.error(
    `${path} has a new secret, and ${old}. Load it into a running service with SIGHUP, and store a copy of the file where you store passwords.`,
  );
  return EXIT.ok;
}

/** A few digits as `token list` prints them: too short to be the whole id of another issuer. */
const ID_PREFIX = /^[0-9a-f]{1,7}$/;
const MIN_PREFIX_DIGITS = 4;

/** Returns the id that begins with the given text. A text that is the beginning of no id is taken as a whole id. */
function completeId(given: string, known: readonly string[]): string {
  if (known.includes(given)) return given;
  const matching = known.filter((id) => id.startsWith(given));
  if (matching.length > 1) {
    throw new CommandError(
      `${matching.length} tokens begin with ${given}: give more digits (${matching.slice(0, 3).join(", ")})`,
    );
  }
  if (matching.length === 1 && given.length >= MIN_PREFIX_DIGITS) return matching[0]!;
  if (ID_PREFIX.test(given)) {
    throw new CommandError(
      `no token begins with ${given}, or it is too short: "colophon token list" prints the ids`,
    );
  }
  return given;
}

async function withRegistry(
  { storeLocation, create, newRegistry }: Settings<typeof catalogOptions>,
  task: (store: Store) => Promise<void>,
): Promise<number> {
  await requireCatalog(storeLocation, create);
  await withStore(storeLocation, { create, registry: newRegistry ? "new" : "required" }, task);
  if (!isPostgresUrl(storeLocation)) holdReserve(storeLocation);
  return EXIT.ok;
}

/** Returns the date of an ISO 8601 time. */
function datePart(time: string): string {
  return time.slice(0, 10);
}

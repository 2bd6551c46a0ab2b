import { issueToken } from "../api/auth/issue-token.ts";
import type { Store } from "../catalog/store.ts";
import { escapeControls } from "../telemetry/printable.ts";
import { openStore, requireCatalog, resolveStoreLocation } from "./config/store-location.ts";
import { readTokenConfig } from "./config/token-config.ts";
import { CommandError, EXIT, parseArguments, parseInteger, UsageError } from "./terminal/arguments.ts";

const storeOptionTypes = {
  db: { type: "string" },
  create: { type: "boolean" },
  "new-registry": { type: "boolean" },
} as const;

type StoreOptions = { readonly [name in "create" | "new-registry"]?: boolean | undefined };

/** `colophon token`: issues, lists and revokes tokens. */
export async function tokenCommand(args: readonly string[]): Promise<number> {
  const [subcommand, ...rest] = args;
  if (subcommand === "list") return list(rest);
  if (subcommand === "revoke") return revoke(rest);
  return issue(args);
}

async function issue(args: readonly string[]): Promise<number> {
  const optionTypes = { ...storeOptionTypes, name: { type: "string" }, days: { type: "string" } } as const;
  const { options } = parseArguments(args, optionTypes, 0);
  const { name } = options;
  if (!name?.trim()) {
    throw new UsageError('no name given: name the client of the token, as in --name "Bookshop"');
  }
  const days = parseInteger(options.days ?? "90", "--days", 1, 3650);
  const location = resolveStoreLocation(options.db);
  return await withStore(location, options, async ({ tokens }) => {
    const config = await readTokenConfig(location);
    console.log(await issueToken({ ...config, tokens, name, days }));
  });
}

async function list(args: readonly string[]): Promise<number> {
  const { options } = parseArguments(args, { ...storeOptionTypes, json: { type: "boolean" } }, 0);
  return await withStore(resolveStoreLocation(options.db), options, async (store) => {
    const tokens = await store.tokens.list();
    if (options.json) {
      console.log(JSON.stringify(tokens, null, 2));
      return;
    }
    for (const token of tokens) {
      const state = token.revoked
        ? `revoked ${datePart(token.revoked)}`
        : `expires ${datePart(token.expires!)}`;
      const origin = token.name === undefined ? "not issued here" : `issued ${datePart(token.issued)}`;
      const line = `${token.id}  ${origin}  ${state}  ${token.name ?? ""}`;
      console.log(escapeControls(line.trimEnd()));
    }
    if (tokens.length === 0) console.error("No token has been issued yet.");
  });
}

async function revoke(args: readonly string[]): Promise<number> {
  const { options, operands } = parseArguments(args, storeOptionTypes, 1);
  const [given] = operands;
  if (!given) throw new UsageError('no token id given: "colophon token list" prints the ids');
  return await withStore(resolveStoreLocation(options.db), options, async ({ tokens }) => {
    const known = (await tokens.list()).map((token) => token.id);
    const id = completeId(given, known);
    const isIssuedHere = await tokens.revoke(id, new Date().toISOString());
    console.error(
      isIssuedHere
        ? `The token ${escapeControls(id)} is revoked: the next request with it is refused.`
        : `The token is revoked, although it was not issued here: the next request with the jti ${escapeControls(id)} is refused.`,
    );
  });
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

async function withStore(
  location: string,
  options: StoreOptions,
  task: (store: Store) => Promise<void>,
): Promise<number> {
  const create = options.create ?? false;
  await requireCatalog(location, create, "--create");
  const store = await openStore(location, { create, registry: options["new-registry"] ? "new" : "required" });
  try {
    await task(store);
    return EXIT.ok;
  } finally {
    await store.close();
  }
}

/** Returns the date of an ISO 8601 time. */
function datePart(time: string): string {
  return time.slice(0, 10);
}

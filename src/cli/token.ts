import { issueToken } from "../api/auth/issue-token.ts";
import { openStore, resolveStoreLocation } from "./config/store-location.ts";
import { readTokenConfig } from "./config/token-config.ts";
import { EXIT, UsageError } from "./exit.ts";
import { parseArguments, parseInteger } from "./terminal/arguments.ts";

const db = { type: "string" } as const;

/** `colophon token`: issues, lists and revokes tokens. */
export async function tokenCommand(args: readonly string[]): Promise<number> {
  const [subcommand, ...rest] = args;
  if (subcommand === "list") return list(rest);
  if (subcommand === "revoke") return revoke(rest);
  return issue(args);
}

async function issue(args: readonly string[]): Promise<number> {
  const { options } = parseArguments(args, { db, name: { type: "string" }, days: { type: "string" } }, 0);
  if (!options.name?.trim()) {
    throw new UsageError('no name given: name the client of the token, as in --name "Bookshop"');
  }
  const days = parseInteger(options.days ?? "90", "--days", 1, 3650);
  const location = resolveStoreLocation(options.db);
  const store = openStore(location, { create: true });
  try {
    const config = await readTokenConfig(location);
    console.log(await issueToken({ ...config, tokens: store.tokens, name: options.name, days }));
    return EXIT.ok;
  } finally {
    await store.close();
  }
}

async function list(args: readonly string[]): Promise<number> {
  const { options } = parseArguments(args, { db, json: { type: "boolean" } }, 0);
  const store = openStore(resolveStoreLocation(options.db), { create: false });
  try {
    const tokens = await store.tokens.list();
    if (options.json) console.log(JSON.stringify(tokens, null, 2));
    else {
      for (const { id, name, issued, expires, revoked } of tokens) {
        const state = revoked ? `revoked ${datePart(revoked)}` : `expires ${datePart(expires)}`;
        console.log(`${id}  issued ${datePart(issued)}  ${state}  ${name}`);
      }
      if (tokens.length === 0) console.error("No token has been issued yet.");
    }
    return EXIT.ok;
  } finally {
    await store.close();
  }
}

async function revoke(args: readonly string[]): Promise<number> {
  const { options, operands } = parseArguments(args, { db }, 1);
  const [id] = operands;
  if (id === undefined) throw new UsageError('no token id given: "colophon token list" prints the ids');
  const store = openStore(resolveStoreLocation(options.db), { create: false });
  try {
    if (await store.tokens.revoke(id, new Date().toISOString())) {
      console.error("The token is revoked: the next request with it is refused.");
      return EXIT.ok;
    }
    console.error(
      `colophon: the token ${id} is unknown to this store; "colophon token list" prints the ids of all tokens`,
    );
    return EXIT.failed;
  } finally {
    await store.close();
  }
}

/** Returns the date of an ISO 8601 time. */
function datePart(time: string): string {
  return time.slice(0, 10);
}

import { issueToken } from "../api/auth/issue-token.ts";
import { parse, wholeNumber } from "./terminal/arguments.ts";
import { keysFor } from "./config/keys.ts";
import { EXIT, UsageError } from "./terminal/usage.ts";
import { openStore, whereOf } from "./config/store-location.ts";

const db = { type: "string" } as const;

/** `colophon token`: issues one, or looks after those that were. */
export async function token(args: readonly string[]): Promise<number> {
  const [verb, ...rest] = args;
  if (verb === "list") return list(rest);
  if (verb === "revoke") return revoke(rest);
  return issue(args);
}

async function issue(args: readonly string[]): Promise<number> {
  const { options } = parse(args, { db, name: { type: "string" }, days: { type: "string" } }, 0);
  if (!options.name?.trim()) throw new UsageError('whose token? Say --name "Bookshop"');
  const days = wholeNumber(options.days ?? "90", "--days", 1, 3650);
  const path = whereOf(options.db);
  const store = openStore(path, { create: true });
  try {
    const { keys, issuer, audience } = await keysFor(path);
    const claims = { name: options.name, days, issuer, audience };
    console.log(await issueToken({ keys, tokens: store.tokens, ...claims }));
    return EXIT.applied;
  } finally {
    await store.close();
  }
}

async function list(args: readonly string[]): Promise<number> {
  const { options } = parse(args, { db, json: { type: "boolean" } }, 0);
  const store = openStore(whereOf(options.db), { create: false });
  try {
    const tokens = await store.tokens.list();
    if (options.json) console.log(JSON.stringify(tokens, null, 2));
    else {
      for (const { id, name, issued, expires, revoked } of tokens) {
        const state = revoked ? `revoked ${day(revoked)}` : `expires ${day(expires)}`;
        console.log(`${id}  issued ${day(issued)}  ${state}  ${name}`);
      }
      if (tokens.length === 0) console.error("No token has been issued yet.");
    }
    return EXIT.applied;
  } finally {
    await store.close();
  }
}

async function revoke(args: readonly string[]): Promise<number> {
  const { options, words } = parse(args, { db }, 1);
  const [id] = words;
  if (id === undefined) throw new UsageError('which token? "colophon token list" has their ids');
  const store = openStore(whereOf(options.db), { create: false });
  try {
    if (await store.tokens.revoke(id, new Date().toISOString())) {
      console.error(`Revoked: it is refused from the next request on.`);
      return EXIT.applied;
    }
    console.error(`colophon: no token ${id} was issued here; "colophon token list" shows those that were`);
    return EXIT.refused;
  } finally {
    await store.close();
  }
}

function day(time: string): string {
  return time.slice(0, 10);
}

/** Serves the API in a process of its own, for tests of its memory: `bun serve.ts FILE.db [MEGABYTES]`. The lists in flight share the megabytes. */
import { translationTable } from "../../catalog/translations.ts";
import { startServer } from "../../server/server.ts";
import { openSqlite } from "../../stores/sqlite/store.ts";
import { createApp } from "../app.ts";
import { createAuthenticator } from "../auth/authenticator.ts";
import { issueToken } from "../auth/issue-token.ts";
import { openKeySource } from "../auth/keys/open-key-source.ts";
import { StreamBudget } from "../stream-budget.ts";

const store = openSqlite(process.argv[2]!);
const keys = await openKeySource({ secret: "a secret of the tests, with more than 32 bytes" });
const onError = (error: unknown) => console.error(error);
const app = createApp({
  store,
  authenticator: createAuthenticator({ keys, tokens: store.tokens }),
  translations: translationTable(),
  streamBudget: new StreamBudget({ maxBytes: Number(process.argv[3] ?? 128) * 1024 * 1024 }),
  version: "0.0.0",
  codeListIssue: 70,
  onError,
});
const server = startServer({ app, host: "127.0.0.1", port: 0, onError });
const issue = (name: string) => issueToken({ keys, tokens: store.tokens, name, days: 1 });
console.log(
  JSON.stringify({ port: server.port, token: await issue("Tests"), otherToken: await issue("Other") }),
);

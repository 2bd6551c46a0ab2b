/** Commits whose response is lost, by a connection that is cut or silent. */
import { describe, expect, test } from "bun:test";
import { OutcomeUnknown } from "../../../catalog/store-errors.ts";
import { anyRun } from "../../../catalog/testing/import-runs.ts";
import { book } from "../../testing/books.ts";
import { type NetworkProxy, type ProxiedConnection, startNetworkProxy } from "../testing/network-proxy.ts";
import { queryValue } from "../testing/sql.ts";
import { errorOf, openTestStore } from "../testing/test-store.ts";
import { IMPORT_DEADLINES, type ImportDeadlines } from "./session.ts";

/** As it is sent: the server's protocol ends a statement with a zero byte. */
const COMMIT = "COMMIT\0";

/** A dead connection is noticed soon. A server that responds late is not taken for dead. */
const DEADLINES: ImportDeadlines = {
  ...IMPORT_DEADLINES,
  roundMs: 200,
  maxMissedRounds: 1_000_000,
  maxStalledRounds: 3,
};

interface Outcome {
  /** The name and message of the error, or "no error". */
  readonly error: string;
  /** The import was found to be applied. */
  readonly wasFound: boolean;
  readonly isApplied: boolean;
  /** The server has no session of the import any more. */
  readonly hasSession: boolean;
}

/** Imports a book. When the COMMIT has reached the server, or just before, something happens to its connection. */
async function commitWith(
  happens: (connection: ProxiedConnection, proxy: NetworkProxy) => void,
  {
    isDelivered = true,
    deadlines = {},
  }: { isDelivered?: boolean; deadlines?: Partial<ImportDeadlines> } = {},
): Promise<Outcome> {
  await using direct = await openTestStore();
  await using proxy = await startNetworkProxy(direct.database.url);
  let wasFound = false;
  const store = direct.reopen(
    {
      importDeadlines: { ...DEADLINES, ...deadlines },
      onCommitFound: () => {
        wasFound = true;
      },
    },
    proxy.url,
  );
  const transaction = await store.beginImport();
  await transaction.put([book(1)], 1);
  proxy.onSent(COMMIT, (connection) => happens(connection, proxy), isDelivered);
  const error = await errorOf(() => transaction.commit("1".repeat(32), anyRun()));
  const sessions = await queryValue(
    direct.database.url,
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()",
  );
  const isApplied = (await direct.store.stats()).records === 1;
  return { error, wasFound, isApplied, hasSession: Number(sessions) > 0 };
}

const APPLIED: Outcome = { error: "no error", wasFound: true, isApplied: true, hasSession: false };
const NOT_APPLIED: Outcome = {
  error: expect.stringMatching(
    /^StoreError: The connection .* was lost during the commit, and the import was not applied;/,
  ),
  wasFound: false,
  isApplied: false,
  hasSession: false,
};

describe.concurrent("a commit", () => {
  test("succeeds when it has reached the server and the connection is cut before the response", async () => {
    expect(await commitWith((connection) => connection.cut())).toEqual(APPLIED);
  });

  test("succeeds when it has reached the server and the response does not come", async () => {
    expect(await commitWith((connection) => connection.silence("responses"))).toEqual(APPLIED);
  });

  test("fails when it has not reached the server and the connection is cut", async () => {
    expect(await commitWith((connection) => connection.cut(), { isDelivered: false })).toEqual(NOT_APPLIED);
  });

  test("fails when it has not reached the server and the connection is silent", async () => {
    const silence = (connection: ProxiedConnection) => connection.silence("requests", "responses");
    expect(await commitWith(silence, { isDelivered: false })).toEqual(NOT_APPLIED);
  });

  test("has an unknown outcome when the server cannot be reached again", async () => {
    const cutAll = (_: ProxiedConnection, proxy: NetworkProxy) => {
      proxy.refuse();
      proxy.cut();
    };
    const { error, wasFound, isApplied } = await commitWith(cutAll, { deadlines: { outcomeMs: 1000 } });
    expect([wasFound, isApplied]).toEqual([false, true]);
    expect(error).toMatch(
      /was lost during the commit, and it could not be reached again\. The outcome is unknown/,
    );
  });

  test("has an unknown outcome when the network is silent", async () => {
    const silence = (_: ProxiedConnection, proxy: NetworkProxy) => proxy.silence("requests", "responses");
    const deadlines = { maxMissedRounds: 5, outcomeMs: 1000 };
    const { error } = await commitWith(silence, { deadlines });
    expect(error).toContain(new OutcomeUnknown("").message.trim());
  });
});

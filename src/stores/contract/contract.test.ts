import { Database } from "bun:sqlite";
import { setDefaultTimeout } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { inspectPostgres } from "../postgres/inspection.ts";
import { migratePostgres, openPostgres } from "../postgres/store.ts";
import { createDatabase } from "../postgres/testing/server.ts";
import { inspectSqlite } from "../sqlite/inspection.ts";
import { openSqlite } from "../sqlite/store.ts";
import { contract, type Engine } from "../testing/engine.ts";

// A disk or a machine that is slow is no failure.
setDefaultTimeout(60_000);

const sqlite: Engine = {
  name: "sqlite",
  async createStore() {
    const folder = mkdtempSync(join(tmpdir(), "colophon-"));
    const path = join(folder, "catalog.db");
    const open = () => openSqlite(path, { create: true });
    const change = async (sql: string, ...values: (string | Uint8Array)[]) => {
      const db = new Database(path);
      db.run(sql, values);
      db.close();
    };
    const opened = [open()];
    return {
      store: opened[0]!,
      async reopen() {
        const store = open();
        opened.push(store);
        return store;
      },
      overwriteBody: (isbn, body) =>
        change("UPDATE body SET body = ? WHERE id = (SELECT id FROM record WHERE isbn = ?)", body, isbn),
      runSql: (sql) => change(sql),
      inspect: async () => inspectSqlite(path),
      async [Symbol.asyncDispose]() {
        for (const store of opened) await store.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
};

const postgres: Engine = {
  name: "postgres",
  async createStore() {
    const place = await createDatabase();
    await migratePostgres(place.url);
    const open = () => openPostgres(place.url);
    const change = async (query: string, ...values: (string | Uint8Array)[]) => {
      const sql = new SQL(place.url, { max: 1 });
      await sql.unsafe("SET search_path = colophon");
      await sql.unsafe(query, values);
      await sql.close({ timeout: 0 });
    };
    const opened = [open()];
    return {
      store: opened[0]!,
      async reopen() {
        const store = open();
        opened.push(store);
        return store;
      },
      overwriteBody: (isbn, body) => change("UPDATE record SET body = $1 WHERE isbn = $2", body, isbn),
      runSql: (sql) => change(sql),
      inspect: () => inspectPostgres(place.url),
      async [Symbol.asyncDispose]() {
        for (const store of opened) await store.close();
        await place[Symbol.asyncDispose]();
      },
    };
  },
};

const ENGINES: readonly Engine[] = [sqlite, postgres];

for (const engine of ENGINES) contract(engine);

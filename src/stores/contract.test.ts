import { setDefaultTimeout } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { database } from "../../test/postgres.ts";
import { contract, type Engine } from "./contract.ts";
import { migratePostgres, openPostgres } from "./postgres/store.ts";
import { openSqlite } from "./sqlite/store.ts";

// A disk or a machine that is slow is no failure.
setDefaultTimeout(60_000);

const sqlite: Engine = {
  name: "sqlite",
  async fresh() {
    const folder = mkdtempSync(join(tmpdir(), "colophon-"));
    const open = () => openSqlite(join(folder, "catalog.db"), { create: true });
    const opened = [open()];
    return {
      store: opened[0]!,
      async again() {
        const store = open();
        opened.push(store);
        return store;
      },
      async [Symbol.asyncDispose]() {
        for (const store of opened) await store.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
};

const postgres: Engine = {
  name: "postgres",
  async fresh() {
    const place = await database();
    await migratePostgres(place.url);
    const open = () => openPostgres(place.url);
    const opened = [open()];
    return {
      store: opened[0]!,
      async again() {
        const store = open();
        opened.push(store);
        return store;
      },
      async [Symbol.asyncDispose]() {
        for (const store of opened) await store.close();
        await place[Symbol.asyncDispose]();
      },
    };
  },
};

const ENGINES: readonly Engine[] = [sqlite, postgres];

for (const engine of ENGINES) contract(engine);

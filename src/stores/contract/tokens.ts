import { expect } from "bun:test";
import type { IssuedToken } from "../../catalog/token-registry.ts";
import { book } from "../testing/books.ts";
import { type DatabaseEngine, storeTests } from "../testing/engines.ts";

function token(id: string, issued: string, name = `Bookshop ${id}`): IssuedToken {
  return { id, name, issued, expires: "2030-01-01T00:00:00.000Z", revoked: undefined };
}

export function tokensContract(engine: DatabaseEngine): void {
  const test = storeTests(engine);
  test("an empty registry has no token, revoked or not", async ({ store }) => {
    const { tokens: registry } = store;
    expect(await registry.list()).toEqual([]);
    expect(await registry.isRevoked("a")).toBe(false);
  });

  test("a token that was not issued here can be revoked by its id, and is listed without a name", async (testStore) => {
    const { store, reopen } = testStore;
    const { tokens: registry } = store;
    const other = (await reopen()).tokens;
    expect(await registry.revoke("idp-1", "2026-02-01T00:00:00.000Z")).toBe(false);
    expect([await registry.isRevoked("idp-1"), await other.isRevoked("idp-1")]).toEqual([true, true]);
    expect(await other.isRevoked("idp-2")).toBe(false);
    await registry.add(token("a", "2026-03-01T00:00:00.000Z"));
    expect(await registry.revoke("idp-1", "2026-04-01T00:00:00.000Z")).toBe(false);
    const foreign = { id: "idp-1", name: undefined, issued: undefined, expires: undefined };
    expect(await other.list()).toEqual([
      token("a", "2026-03-01T00:00:00.000Z"),
      { ...foreign, revoked: "2026-02-01T00:00:00.000Z" },
    ]);
  });

  test("tokens are listed newest first; of equal times, the last added first", async ({ store }) => {
    const { tokens: registry } = store;
    const tokens = [
      token("b", "2026-01-02T00:00:00.000Z", "Librería Ñ 📚"),
      token("z", "2026-01-03T00:00:00.000Z"),
      token("a", "2026-01-01T00:00:00.000Z"),
      token("c", "2026-01-02T00:00:00.000Z"),
    ];
    for (const one of tokens) await registry.add(one);
    expect(await registry.list()).toEqual([tokens[1]!, tokens[3]!, tokens[0]!, tokens[2]!]);
  });

  test("a revocation takes effect at once, and keeps the time of the first", async ({ store }) => {
    const { tokens: registry } = store;
    await registry.add(token("a", "2026-01-01T00:00:00.000Z"));
    await registry.add(token("b", "2026-01-02T00:00:00.000Z"));
    expect(await registry.isRevoked("a")).toBe(false);
    expect(await registry.revoke("a", "2026-02-01T00:00:00.000Z")).toBe(true);
    expect(await registry.isRevoked("a")).toBe(true);
    expect(await registry.isRevoked("b")).toBe(false);
    expect(await registry.revoke("a", "2026-03-01T00:00:00.000Z")).toBe(true);
    expect((await registry.list()).map(({ id, revoked }) => [id, revoked])).toEqual([
      ["b", undefined],
      ["a", "2026-02-01T00:00:00.000Z"],
    ]);
    expect(await registry.revoke("A", "2026-02-01T00:00:00.000Z")).toBe(false);
  });

  test("add rejects an id that exists", async ({ store }) => {
    const { tokens: registry } = store;
    await registry.add(token("a", "2026-01-01T00:00:00.000Z", "First"));
    await expect(
      (async () => registry.add(token("a", "2026-01-02T00:00:00.000Z", "Second")))(),
    ).rejects.toThrow();
    expect((await registry.list()).map(({ name }) => name)).toEqual(["First"]);
  });

  test("changes are visible at once in another open store, from the first token on", async (testStore) => {
    const { store, reopen } = testStore;
    const mine = store.tokens;
    const yours = (await reopen()).tokens;
    expect(await yours.isRevoked("a")).toBe(false);
    await mine.add(token("a", "2026-01-01T00:00:00.000Z"));
    expect(await yours.list()).toHaveLength(1);
    for (const id of ["a", "b", "c"]) {
      if (id !== "a") await mine.add(token(id, "2026-01-01T00:00:00.000Z"));
      expect(await yours.isRevoked(id)).toBe(false);
      await mine.revoke(id, "2026-02-01T00:00:00.000Z");
      expect(await yours.isRevoked(id)).toBe(true);
    }
    await yours.add(token("d", "2026-01-01T00:00:00.000Z"));
    await yours.revoke("d", "2026-02-01T00:00:00.000Z");
    expect(await mine.isRevoked("d")).toBe(true);
    expect(await yours.isRevoked("d")).toBe(true);
  });

  test("tokens can be added and revoked during an import", async (testStore) => {
    const other = await testStore.reopen();
    const transaction = await testStore.store.beginImport();
    await transaction.put([book(1)], 1);
    for (const store of [testStore.store, other]) {
      const id = store === other ? "b" : "a";
      await store.tokens.add(token(id, "2026-01-01T00:00:00.000Z"));
      await store.tokens.revoke(id, "2026-02-01T00:00:00.000Z");
    }
    expect(await testStore.store.tokens.isRevoked("b")).toBe(true);
    expect(await other.tokens.isRevoked("a")).toBe(true);
    await transaction.abort();
    expect(await other.tokens.list()).toHaveLength(2);
  });
}

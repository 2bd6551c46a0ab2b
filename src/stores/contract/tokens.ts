import { expect, test } from "bun:test";
import type { IssuedToken } from "../../catalog/token-registry.ts";
import { book } from "../testing/books.ts";
import type { Engine } from "../testing/engine.ts";

function token(id: string, issued: string, name = `Bookshop ${id}`): IssuedToken {
  return { id, name, issued, expires: "2030-01-01T00:00:00.000Z", revoked: undefined };
}

export function ledgerContract(engine: Engine): void {
  test("an empty ledger has no token, revoked or not", async () => {
    await using shelf = await engine.createStore();
    const { tokens: ledger } = shelf.store;
    expect(await ledger.list()).toEqual([]);
    expect(await ledger.isRevoked("a")).toBe(false);
    expect(await ledger.revoke("a", "2026-01-01T00:00:00.000Z")).toBe(false);
  });

  test("tokens are listed newest first; of the same moment, the last added first", async () => {
    await using shelf = await engine.createStore();
    const { tokens: ledger } = shelf.store;
    const tokens = [
      token("b", "2026-01-02T00:00:00.000Z", "Librería Ñ 📚"),
      token("z", "2026-01-03T00:00:00.000Z"),
      token("a", "2026-01-01T00:00:00.000Z"),
      token("c", "2026-01-02T00:00:00.000Z"),
    ];
    for (const one of tokens) await ledger.add(one);
    expect(await ledger.list()).toEqual([tokens[1]!, tokens[3]!, tokens[0]!, tokens[2]!]);
  });

  test("a revoked token is revoked at once, and the first time stays", async () => {
    await using shelf = await engine.createStore();
    const { tokens: ledger } = shelf.store;
    await ledger.add(token("a", "2026-01-01T00:00:00.000Z"));
    await ledger.add(token("b", "2026-01-02T00:00:00.000Z"));
    expect(await ledger.isRevoked("a")).toBe(false);
    expect(await ledger.revoke("a", "2026-02-01T00:00:00.000Z")).toBe(true);
    expect(await ledger.isRevoked("a")).toBe(true);
    expect(await ledger.isRevoked("b")).toBe(false);
    expect(await ledger.revoke("a", "2026-03-01T00:00:00.000Z")).toBe(true);
    expect((await ledger.list()).map(({ id, revoked }) => [id, revoked])).toEqual([
      ["b", undefined],
      ["a", "2026-02-01T00:00:00.000Z"],
    ]);
    expect(await ledger.revoke("A", "2026-02-01T00:00:00.000Z")).toBe(false);
  });

  test("the same id is not issued twice", async () => {
    await using shelf = await engine.createStore();
    const { tokens: ledger } = shelf.store;
    await ledger.add(token("a", "2026-01-01T00:00:00.000Z", "First"));
    await expect(
      (async () => ledger.add(token("a", "2026-01-02T00:00:00.000Z", "Second")))(),
    ).rejects.toThrow();
    expect((await ledger.list()).map(({ name }) => name)).toEqual(["First"]);
  });

  test("what one opener does another sees with its next question, from the very first token on", async () => {
    await using shelf = await engine.createStore();
    const mine = shelf.store.tokens;
    const yours = (await shelf.reopen()).tokens;
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

  test("tokens are issued and revoked while an import is under way", async () => {
    await using shelf = await engine.createStore();
    const other = await shelf.reopen();
    const load = await shelf.store.beginImport();
    await load.put([book(1)], 1);
    for (const store of [shelf.store, other]) {
      const id = store === other ? "b" : "a";
      await store.tokens.add(token(id, "2026-01-01T00:00:00.000Z"));
      await store.tokens.revoke(id, "2026-02-01T00:00:00.000Z");
    }
    expect(await shelf.store.tokens.isRevoked("b")).toBe(true);
    expect(await other.tokens.isRevoked("a")).toBe(true);
    await load.abort();
    expect(await other.tokens.list()).toHaveLength(2);
  });
}

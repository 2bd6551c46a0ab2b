import { expect } from "bun:test";
import { themaSubjects } from "../../catalog/subjects/testing/thema.ts";
import { book, importBooks } from "../testing/books.ts";
import { type DatabaseEngine, storeTests } from "../testing/engines.ts";

export function subjectsContract(engine: DatabaseEngine): void {
  const test = storeTests(engine);
  test("an empty catalog has no subjects", async ({ store: { subjects, lookupTransaction } }) => {
    expect(await subjects.digests()).toEqual({});
    expect(await subjects.read("eng")).toBeUndefined();
    lookupTransaction?.begin();
    expect(lookupTransaction?.subjectsVersion() ?? "").toBe("");
    lookupTransaction?.end();
  });

  test("subjects are replaced by language, and other processes see them", async ({ store, reopen }) => {
    const { subjects, lookupTransaction } = await reopen();
    const version = () => {
      lookupTransaction?.begin();
      const found = lookupTransaction?.subjectsVersion();
      lookupTransaction?.end();
      return found;
    };
    const versions = [version()];
    await store.subjects.replace("eng", themaSubjects("eng"));
    await store.subjects.replace("spa", themaSubjects("spa"));
    versions.push(version());
    const spanish = await subjects.read("spa");
    expect(spanish).toEqual(themaSubjects("spa"));
    expect(await subjects.digests()).toMatchObject({ spa: spanish!.digest });
    await store.subjects.replace("eng", { digest: "0", list: "F\tStories\t" });
    versions.push(version());
    expect((await subjects.read("eng"))?.list).toBe("F\tStories\t");
    expect((await subjects.read("spa"))?.digest).toBe(spanish!.digest);
    if (lookupTransaction) expect(new Set(versions).size).toBe(3);
  });

  test("imports leave the subjects as they are", async ({ store }) => {
    await store.subjects.replace("eng", themaSubjects("eng"));
    const before = await store.subjects.digests();
    await importBooks(store, [book(1)]);
    expect(await store.subjects.digests()).toEqual(before);
  });
}

import { describe, expect, test } from "bun:test";
import { themaSubjects } from "../../catalog/subjects/testing/thema.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { ENGINES } from "../../stores/testing/engines.ts";
import { searchBook } from "../../stores/testing/search-books.ts";
import { createTestApi } from "../testing/api.ts";

for (const engine of ENGINES) {
  describe(`subjects (${engine.name})`, () => {
    test("are listed one level at a time, in the words that were loaded", async () => {
      await using api = await createTestApi(engine, { books: false });
      const get = async (query: string) => (await api.get(`/api/subjects${query}`)).json;
      expect(await get("")).toEqual([]);
      const { headers } = await api.get("/api/subjects");
      await api.store.subjects.replace("eng", themaSubjects("eng"));
      const changed = await api.get("/api/subjects", { headers: { "If-None-Match": headers.get("etag")! } });
      expect(changed.status).toBe(200);
      expect(changed.json.map(({ code }: { code: string }) => code)).toEqual(["F", "Y", "1"]);
      await api.store.subjects.replace("spa", themaSubjects("spa"));
      expect(await get("?below=f&labels=spa")).toEqual([
        { code: "FB", scheme: "93", label: "Narraciones en general", parent: "F", narrower: 1 },
        { code: "FY", scheme: "93", label: "Narraciones especiales", parent: "F", narrower: 0 },
      ]);
      expect(await get("?codes=FYD,NONE,1DSE&labels=spa")).toEqual([
        { code: "FYD", scheme: "93", label: "Letters and diaries", parent: "FY", narrower: 0 },
        { code: "1DSE", scheme: "94", label: "España", parent: "1D", narrower: 0 },
      ]);
    });

    test("are those of each language after the files of two were exchanged", async () => {
      await using api = await createTestApi(engine, { books: false });
      const book = searchBook(1, { title: "Uno", subjects: [["93", "FB"]] });
      await importBooks(api.store, [book]);
      const path = `/api/isbn/${book.isbn}?view=summary&fields=subjects&labels=spa`;
      await api.store.subjects.replace("eng", themaSubjects("spa"));
      await api.store.subjects.replace("spa", themaSubjects("eng"));
      const wrong = [await api.get(path), await api.get(path), await api.get(path)];
      await api.store.subjects.replace("spa", themaSubjects("spa"));
      await api.store.subjects.replace("eng", themaSubjects("eng"));
      expect(wrong[0]!.text).not.toContain("Narraciones");
      expect((await api.get(path)).text).toContain("Narraciones");
    });

    test("are counted with what is below them, in the books of a search", async () => {
      await using api = await createTestApi(engine, { books: false });
      await api.store.subjects.replace("eng", themaSubjects("eng"));
      const subjectsOf = [
        ["93", "FB"],
        ["93", "FBA"],
        ["93", "FYD"],
        ["10", "FBA"],
        ["94", "1DSE"],
      ] as const;
      await importBooks(
        api.store,
        subjectsOf.map((subject, at) =>
          searchBook(at, { title: at < 2 ? "Uno" : "Dos", subjects: [subject] }),
        ),
      );
      const counts = async (query: string) =>
        (await api.get(`/api/subjects?count=1${query}`)).json.map(
          ({ code, books }: { code: string; books: number }) => `${code} ${books}`,
        );
      expect(await counts("")).toEqual(["F 3", "Y 0", "1 1"]);
      expect(await counts("&below=F&subject=93:FYD")).toEqual(["FB 2", "FY 1"]);
      expect(await counts("&below=F&q=dos")).toEqual(["FB 0", "FY 1"]);
      expect(await counts("&codes=FBA,1D&q=uno")).toEqual(["FBA 1", "1D 0"]);
      const wrong = await api.get("/api/subjects?count=1&from=20260102&to=20260101");
      expect(wrong.status).toBe(400);
    });

    test("are words beside the codes of Thema in summaries, from the next request on", async () => {
      await using api = await createTestApi(engine, { books: false });
      const subjects = [
        ["93", "FBA"],
        ["10", "FBA"],
      ] as const;
      const book = searchBook(1, { title: "Uno", subjects });
      await importBooks(api.store, [book]);
      for (const path of ["/api/search?labels=spa", `/api/isbns/${book.isbn}?view=summary&labels=spa`]) {
        const labels = async () =>
          (await api.get(path)).json[0].subjects.map(
            ({ codeLabel }: { codeLabel: string | null }) => codeLabel,
          );
        await api.store.subjects.replace("spa", { digest: "0", list: "" });
        await api.store.subjects.replace("eng", themaSubjects("eng"));
        expect(await labels()).toEqual(["Modern stories", null]);
        await api.store.subjects.replace("spa", themaSubjects("spa"));
        expect(await labels()).toEqual(["Narraciones modernas", null]);
        expect(await labels()).toEqual(["Narraciones modernas", null]);
      }
    });
  });
}

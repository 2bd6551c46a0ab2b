import { expect, test } from "bun:test";
import type { Isbn13 } from "../../onix/isbn.ts";
import { readOne } from "../../onix/testing/scan-message.ts";
import { parseSummary } from "../../onix/testing/summaries.ts";
import { editionTargetsOf } from "./edition-links.ts";

interface Identifier {
  readonly type: string;
  readonly value: string;
  readonly name?: string;
}

function work(code: string, ...identifiers: readonly Identifier[]): string {
  const xml = identifiers.map(
    ({ type, value, name }) =>
      `<WorkIdentifier><WorkIDType>${type}</WorkIDType>${name ? `<IDTypeName>${name}</IDTypeName>` : ""}<IDValue>${value}</IDValue></WorkIdentifier>`,
  );
  return `<RelatedWork><WorkRelationCode>${code}</WorkRelationCode>${xml.join("")}</RelatedWork>`;
}

function product(codes: readonly string[], ...identifiers: readonly Identifier[]): string {
  const relations = codes.map((code) => `<ProductRelationCode>${code}</ProductRelationCode>`).join("");
  const xml = identifiers.map(
    ({ type, value }) =>
      `<ProductIdentifier><ProductIDType>${type}</ProductIDType><IDValue>${value}</IDValue></ProductIdentifier>`,
  );
  return `<RelatedProduct>${relations}${xml.join("")}</RelatedProduct>`;
}

const BOOK = "9788437604947" as Isbn13;
const OTHER = "9780306406157";

/** Returns `workId` of the summary, and the targets of the links. */
async function read(related: string, publisher = "P") {
  const name = `<Publisher><PublishingRole>01</PublishingRole><PublisherName>${publisher}</PublisherName></Publisher>`;
  const { body } = await readOne({
    blocks: `<PublishingDetail>${name}</PublishingDetail><RelatedMaterial>${related}</RelatedMaterial>`,
  });
  return [parseSummary(body).workId, editionTargetsOf({ isbn: BOOK, body })] as const;
}

const istc = { type: "11", value: "A02-2009-000154fa" };

test("the work is the first of which the book is a manifestation, with all its identifiers", async () => {
  const named = { type: "01", name: "Acme", value: "7" };
  expect(
    await read(work("02", { type: "11", value: "B" }) + work("06", istc, named) + work("01", named)),
  ).toEqual(["11:A022009000154FA", ["01:Acme:7", "11:A022009000154FA"]]);
  expect(await read(work("01", { type: "06", value: "10.1/Ab" }))).toEqual(["06:10.1/ab", ["06:10.1/ab"]]);
  expect(await read(work("01", { type: "", value: "x" }) + work("02", istc))).toEqual([null, []]);
});

test("a work that is identified by the ISBN of an edition is linked with this edition", async () => {
  for (const identifier of [
    { type: "15", value: "978-0-306-40615-7" },
    { type: "02", value: "0306406152" },
  ])
    expect(await read(work("01", identifier))).toEqual([`15:${OTHER}`, [OTHER]]);
  expect(await read(work("01", { type: "15", value: BOOK }))).toEqual([`15:${BOOK}`, []]);
});

test("a proprietary identifier without the name of its scheme counts within its publisher", async () => {
  const [id, targets] = await read(work("01", { type: "01", value: "7" }), "A");
  expect(id).toBe("01:7");
  expect(targets).not.toEqual((await read(work("01", { type: "01", value: "7" }), "B"))[1]);
  expect(targets).toEqual((await read(work("01", { type: "01", value: "7" }), "A"))[1]);
});

test("a target has at most 200 characters, and long identifiers stay different", async () => {
  const long = (end: string) => read(work("01", { type: "01", name: "Acme", value: "ñ".repeat(5000) + end }));
  const [a, b] = [(await long("a"))[1][0]!, (await long("b"))[1][0]!];
  expect([a.length < 200, a === b, a === (await long("a"))[1][0]]).toEqual([true, false, true]);
});

test("other editions are the products of the relations 06, 13 and 27 that have an ISBN", async () => {
  const isbns = ["9780306406157", "9788437604954", "9788437604961", "9788437604978"];
  const related = [
    product(["06"], { type: "02", value: "0306406152" }),
    product(["01", "13"], { type: "03", value: isbns[1]! }),
    product(["27"], { type: "01", value: "x" }, { type: "15", value: isbns[2]! }),
    product(["27"], { type: "15", value: isbns[2]! }),
    product(["03"], { type: "15", value: isbns[3]! }),
    product(["06"], { type: "15", value: BOOK }),
    product(["06"], { type: "01", value: "x" }),
  ].join("");
  expect(await read(related)).toEqual([null, isbns.slice(0, 3)]);
});

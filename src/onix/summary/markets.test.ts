import { describe, expect, test } from "bun:test";
import { summaryOfBlocks } from "../testing/summaries.ts";

const codes = (name: string, list: string) => list && `<${name}>${list}</${name}>`;
const territory = (countries = "", regions = "", withoutCountries = "", withoutRegions = "") =>
  `<Territory>${codes("CountriesIncluded", countries)}${codes("RegionsIncluded", regions)}${codes("CountriesExcluded", withoutCountries)}${codes("RegionsExcluded", withoutRegions)}</Territory>`;
const market = (...each: Parameters<typeof territory>) => `<Market>${territory(...each)}</Market>`;
const supply = (markets: string, ...availabilities: string[]) =>
  `<ProductSupply>${markets}${availabilities
    .map(
      (code) =>
        `<SupplyDetail>${code && `<ProductAvailability>${code}</ProductAvailability>`}</SupplyDetail>`,
    )
    .join("")}</ProductSupply>`;

describe("the markets of a summary", () => {
  test("have the availability of each, and the best one is that of the book", async () => {
    const blocks = supply(market("US CA"), "31") + supply(market("ES"), "40", "20");
    expect(await summaryOfBlocks(blocks)).toMatchObject({
      availability: "20",
      markets: [
        { territory: "US CA", availability: "31" },
        { territory: "ES", availability: "20" },
      ],
    });
  });

  test.each([
    ["30", "10", "10"],
    ["40", "30", "30"],
    ["01", "46", "46"],
    ["22", "21", "21"],
    ["77", "40", "40"],
  ])("of the availabilities %s and %s, %s is better", async (a, b, best) => {
    for (const blocks of [supply("", a, b), supply(market("ES"), b) + supply(market("FR"), a)]) {
      expect((await summaryOfBlocks(blocks)).availability).toBe(best);
    }
  });

  test("are everywhere without a Market, and each Market of a supply is one", async () => {
    expect((await summaryOfBlocks(supply("", "20"))).markets).toEqual([
      { territory: null, availability: "20" },
    ]);
    const two = market("", "WORLD", "US") + market("US");
    expect((await summaryOfBlocks(supply(two, ""))).markets).toEqual([
      { territory: "WORLD -US", availability: null },
      { territory: "US", availability: null },
    ]);
    expect((await summaryOfBlocks(supply("", ""))).markets).toEqual([]);
  });

  test("have countries, then regions, then what is excluded, each once separated", async () => {
    const blocks = supply(market("\n ES\tPT ", "GB-ENG", "FR  AD", "ES-CN"), "20");
    expect((await summaryOfBlocks(blocks)).markets[0]!.territory).toBe("ES PT GB-ENG -FR -AD -ES-CN");
  });
});

describe("the rights of a summary", () => {
  const rights = (type: string, ...each: Parameters<typeof territory>) =>
    `<SalesRights><SalesRightsType>${type}</SalesRightsType>${territory(...each)}</SalesRights>`;
  const rightsOf = async (xml: string) =>
    (await summaryOfBlocks(`<PublishingDetail>${xml}</PublishingDetail>`)).rights;

  test("are territories by their kind", async () => {
    const rest = "<ROWSalesRightsType>03</ROWSalesRightsType>";
    expect(
      await rightsOf(
        rights("01", "ES") + rights("08", "MX AR") + rights("06", "US") + rights("00", "FR") + rest,
      ),
    ).toEqual({ exclusive: "ES", nonExclusive: "MX AR", notForSale: "US ROW" });
  });

  test("of one kind are one territory: what one of them excludes and another includes is included", async () => {
    const both = rights("01", "", "WORLD", "US CA") + rights("07", "US");
    expect((await rightsOf(both))?.exclusive).toBe("WORLD US -CA");
  });

  test("are null without SalesRights", async () => {
    expect(await rightsOf("")).toBeNull();
    expect(await rightsOf(rights("constructor", "ES"))).toBeNull();
  });

  test.each([
    [["-US", "FR"], "WORLD FR -US"],
    [["-US", "US"], "WORLD US"],
    [["-US", "-CA"], "WORLD"],
    [["-US CA", "-US"], "WORLD -US"],
    [["WORLD -US", "WORLD -US"], "WORLD -US"],
  ])(
    "of %p are %s: a territory that only excludes is the world without them",
    async (territories, joined) => {
      const blocks = territories.map((text) => {
        const [included, excluded] = text.startsWith("-") ? ["", text.slice(1)] : text.split(" -");
        const isWorld = included === "WORLD";
        return rights("01", isWorld ? "" : included, isWorld ? "WORLD" : "", excluded);
      });
      const summary = await summaryOfBlocks(`<PublishingDetail>${blocks.join("")}</PublishingDetail>`);
      expect(summary.rights?.exclusive).toBe(joined);
    },
  );
});

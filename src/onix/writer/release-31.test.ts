import { describe, expect, test } from "bun:test";
import type { Origin } from "../record/origin.ts";
import type { RecordFields } from "../record/record-fields.ts";
import { writeProduct } from "./product-writer.ts";

/** Returns the product on one line. */
function write(
  fields: RecordFields,
  origin: Partial<Origin> = {},
  tags: "reference" | "short" = "reference",
) {
  const record: RecordFields = { _id: "", RecordReference: "9788437604947", ...fields };
  return writeProduct(record, "r", { release: "3.0", ...origin }, { tags, asRelease31: true }).replaceAll(
    /\n\s*/g,
    "",
  );
}

describe("a product of ONIX 3.0 in a message of 3.1", () => {
  test("has the format of a date as its attribute", () => {
    const date = { PublishingDateRole: "01", DateFormat: "01", Date: "202401" };
    const xml = write({ PublishingDetail: { PublishingDate: [date] } });
    expect(xml).toContain('<PublishingDateRole>01</PublishingDateRole><Date dateformat="01">202401</Date>');
  });

  test("keeps the attribute that a date has", () => {
    const date = { DateFormat: "01", Date: "202401", "Date@dateformat": "05" };
    const xml = write({ PublishingDetail: { PublishingDate: [date] } });
    expect(xml).toContain('<PublishingDate><Date dateformat="05">202401</Date></PublishingDate>');
  });

  test("has an Audience for each AudienceCode", () => {
    const xml = write({ DescriptiveDetail: { AudienceCode: ["01", "02"] } });
    const audience = (code: string) =>
      `<Audience><AudienceCodeType>01</AudienceCodeType><AudienceCodeValue>${code}</AudienceCodeValue></Audience>`;
    expect(xml).toContain(`<DescriptiveDetail>${audience("01")}${audience("02")}</DescriptiveDetail>`);
    const short = write({ DescriptiveDetail: { AudienceCode: ["01"] } }, {}, "short");
    expect(short).toContain("<audience><b204>01</b204><b206>01</b206></audience>");
  });

  test("has an Audience once that it has as AudienceCode too", () => {
    const own = [
      { AudienceCodeType: "01", AudienceCodeValue: "01" },
      { AudienceCodeType: "01", AudienceCodeValue: "03", "@sourcename": "x" },
      { AudienceCodeType: "22", AudienceCodeValue: "02" },
    ];
    const xml = write({ DescriptiveDetail: { AudienceCode: ["01", "02", "02", "03"], Audience: own } });
    const audiences = [...xml.matchAll(/CodeType>(\d+)<\/AudienceCodeType><AudienceCodeValue>(\d+)</g)];
    expect(audiences.map(([, type, value]) => `${type} ${value}`).sort()).toEqual([
      "01 01",
      "01 02",
      "01 03",
      "22 02",
    ]);
    const single = write({ DescriptiveDetail: { AudienceCode: ["01"], Audience: own[0]! } });
    expect(single.split("<Audience>").length - 1).toBe(1);
  });

  test("has a restriction of sales within the rights for sale, and only there", () => {
    const rights = (type: string) => ({
      SalesRightsType: type,
      Territory: { RegionsIncluded: "WORLD" },
      PublisherName: "P",
    });
    const restriction = { SalesRestrictionType: "04", SalesRestrictionNote: ["line\n<b>"] };
    const xml = write({
      PublishingDetail: { SalesRights: [rights("03"), rights("01")], SalesRestriction: [restriction] },
    });
    const restricted =
      "</Territory><SalesRestriction><SalesRestrictionType>04</SalesRestrictionType>" +
      "<SalesRestrictionNote>line&lt;b&gt;</SalesRestrictionNote></SalesRestriction><PublisherName>";
    expect(xml.split(restricted)).toHaveLength(2);
    expect(xml).toContain(
      "<SalesRightsType>03</SalesRightsType><Territory><RegionsIncluded>WORLD</RegionsIncluded></Territory><PublisherName>",
    );
    expect(xml).not.toContain("<!--");
  });

  test("names in a comment what ONIX 3.1 has no element for", () => {
    const xml = write({
      DescriptiveDetail: {
        Conference: [{ ConferenceName: "C" }],
        Contributor: { Gender: "f", PersonName: "P" },
      },
      PublishingDetail: { SalesRestriction: [{ SalesRestrictionType: "04" }] },
      ProductSupply: [
        { SupplyDetail: [{ Reissue: { ReissueDate: "2024" }, Price: [{ CurrencyZone: "x" }] }] },
      ],
    });
    expect(xml).not.toMatch(/<(Conference|Gender|SalesRestriction|Reissue|CurrencyZone)/);
    const comment = /<!-- Left out, because ONIX 3\.1 has removed it: (.*) --><\/Product>$/.exec(xml)![1]!;
    expect(comment.split("; ")).toEqual(
      [
        "Conference of DescriptiveDetail",
        "Gender of Contributor",
        "SalesRestriction of PublishingDetail, without SalesRights for sale",
        "CurrencyZone of Price",
        "Reissue of SupplyDetail",
      ].toSorted((a, b) => comment.indexOf(a) - comment.indexOf(b)),
    );
  });

  test("has each role, code and number once, where ONIX 3.1 wants them to differ", () => {
    const date = (role: string, day: string) => ({ PriceDateRole: role, Date: day });
    const contributor = (name: string) => ({
      SequenceNumber: "1",
      ContributorRole: ["A01", "A01"],
      PersonName: name,
    });
    const xml = write({
      ContentDetail: { ContentItem: [{ Contributor: [contributor("P"), contributor("Q")] }] },
      ProductSupply: [
        { SupplyDetail: [{ Price: [{ PriceDate: [date("14", "1"), date("15", "2"), date("14", "3")] }] }] },
      ],
    });
    expect(xml.match(/<Date>\d/g)).toEqual(["<Date>1", "<Date>2"]);
    expect(xml).toContain(
      "<SequenceNumber>1</SequenceNumber><ContributorRole>A01</ContributorRole><PersonName>P</PersonName></Contributor>" +
        "<Contributor><ContributorRole>A01</ContributorRole><PersonName>Q</PersonName>",
    );
    expect(xml).toContain(
      "<!-- Left out, because ONIX 3.1 allows it once: Contributor of ContentItem, with the same SequenceNumber; " +
        "PriceDate of Price, with the same PriceDateRole -->",
    );
  });

  test("keeps the form of texts that follow an element that was left out", () => {
    const xml = write(
      {
        DescriptiveDetail: {
          Conference: [{ ConferenceName: "C" }],
          EditionStatement: ["<b>x</b>"],
          "EditionStatement@textformat": ["05"],
        },
      },
      // The edition statement is the second text: it came as escaped markup.
      { exceptions: { DescriptiveDetail: [1] } },
    );
    expect(xml).toContain('<EditionStatement textformat="05">&lt;b&gt;x&lt;/b&gt;</EditionStatement>');
  });

  test("is as it was sent without the option", () => {
    const record: RecordFields = { RecordReference: "x", DescriptiveDetail: { AudienceCode: ["01"] } };
    expect(writeProduct(record, "r", { release: "3.0" })).toContain("<AudienceCode>01</AudienceCode>");
  });
});

describe("short tags", () => {
  test("replace every name that has one, and keep attributes, flags, XHTML and unknown elements", () => {
    const xml = write(
      {
        DescriptiveDetail: {
          NoCollection: [],
          TitleDetail: { TitleType: "01", TitleElement: { TitleText: "T", "TitleText@language": "spa" } },
          Unknown: "u",
        },
        CollateralDetail: { TextContent: [{ Text: "<p>x</p>", "Text@textformat": "05" }] },
        "@datestamp": "2024",
      },
      {},
      "short",
    );
    expect(xml.trim()).toBe(
      '<product datestamp="2024"><a001>r</a001><descriptivedetail><x411/><titledetail><b202>01</b202>' +
        '<titleelement><b203 language="spa">T</b203></titleelement></titledetail><Unknown>u</Unknown></descriptivedetail>' +
        '<collateraldetail><textcontent><d104 textformat="05"><p>x</p></d104></textcontent></collateraldetail></product>',
    );
  });
});

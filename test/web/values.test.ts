/** Numbers, dates and texts of real feeds in Chromium: one style, and nothing that a reader would take for an error. */
import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { describeInBrowser } from "./browser.ts";

/** Escaped twice, with a price that is no number, minutes with decimals and a time of midnight. */
const ISBN = "9788858427637";
const FEED = `<?xml version="1.0" encoding="UTF-8"?>
<ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference">
<Header><Sender><SenderName>Test</SenderName></Sender><SentDateTime>20260101</SentDateTime></Header>
<Product><RecordReference>odd</RecordReference><NotificationType>03</NotificationType>
<ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>${ISBN}</IDValue></ProductIdentifier>
<DescriptiveDetail><ProductComposition>00</ProductComposition><ProductForm>AJ</ProductForm>
<TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel>
<TitleText>Manuale dell&amp;#39;investitore</TitleText></TitleElement></TitleDetail>
<Contributor><SequenceNumber>1</SequenceNumber><ContributorRole>A01</ContributorRole>
<PersonName>Ren&amp;eacute;e D&amp;#39;Oddvalue</PersonName></Contributor>
<Language><LanguageRole>01</LanguageRole><LanguageCode>ita</LanguageCode></Language>
<Extent><ExtentType>09</ExtentType><ExtentValue>612.48</ExtentValue><ExtentUnit>05</ExtentUnit></Extent>
</DescriptiveDetail>
<PublishingDetail><Imprint><ImprintName>L&amp;#39;Ancora &amp;amp; Co</ImprintName></Imprint>
<PublishingDate><PublishingDateRole>01</PublishingDateRole><Date dateformat="13">20160526T0000</Date></PublishingDate></PublishingDetail>
<ProductSupply><SupplyDetail><Supplier><SupplierRole>01</SupplierRole><SupplierName>S</SupplierName></Supplier>
<ProductAvailability>20</ProductAvailability>
<Price><PriceType>02</PriceType><PriceAmount>12,95</PriceAmount><CurrencyCode>EUR</CurrencyCode></Price>
</SupplyDetail></ProductSupply></Product>
</ONIXMessage>`;

/** What no page may show: an entity, a failed number, a time of midnight, and the long form of a month. */
const WRONG = /&#?\w+;|NaN|undefined|, 00:00|\d (January|March|April|June|de enero|de mayo)/;

describeInBrowser("values of feeds", [], (web) => {
  let page: Page;

  beforeAll(async () => {
    await web.importFeed(FEED);
    page = await web.open("/?q=oddvalue");
  });

  test("are readable in the list of results", async () => {
    const row = page.locator(".book-row");
    await row.waitFor();
    const text = await row.innerText();
    expect(text).toContain("Manuale dell'investitore");
    expect(text).toContain("Renée D'Oddvalue");
    expect(text).toContain("€12.95");
    expect(text).toContain("26 May 2016");
    expect(text).not.toMatch(WRONG);
  });

  test("are readable on the page of a book, in both languages", async () => {
    await page.locator(".book-row h3 a").click();
    await page.waitForSelector(`article[data-isbn="${ISBN}"]`);
    await page.waitForSelector("#origin");
    expect(await page.innerText("h1")).toBe("Manuale dell'investitore");
    expect(await page.innerText(".book-essentials")).toMatch(/10 hrs 12 mins[\s\S]*26 May 2016/);
    expect(await page.innerText("main")).not.toMatch(WRONG);
    await page.click(".site-tools button[lang=es]");
    await page.waitForSelector('article[data-language="spa"]');
    expect(await page.innerText(".book-essentials")).toMatch(/10 h 12 min[\s\S]*26 may 2016/);
    expect(await page.innerText("main")).not.toMatch(WRONG);
    await page.click(".site-tools button[lang=en]");
  });

  test("of an imprint lead from the book to its list", async () => {
    await page.locator(".book-essentials a", { hasText: "L'Ancora & Co" }).click();
    await page.locator(".book-row h3 a", { hasText: "dell'investitore" }).waitFor();
    await page.getByRole("heading", { name: "L'Ancora & Co", level: 1 }).waitFor();
    await page.goto(`${web.server.url}/imprints?q=ancora`);
    await page.locator(".imprint-name", { hasText: "L'Ancora & Co" }).waitFor();
  });

  test("have one style of days and numbers on the pages about imports and quality", async () => {
    await page.goto(`${web.server.url}/imports`);
    const times = page.locator(".import time");
    await times.first().waitFor();
    for (const time of await times.allInnerTexts())
      expect(time).toMatch(/^\d{1,2} \w{3,4} \d{4}, \d{2}:\d{2}$/);
    await page.goto(`${web.server.url}/quality`);
    await page.locator(".month-chart").waitFor();
    expect(await page.getAttribute(".month-chart", "aria-label")).toMatch(
      /from \w{3,4} \d{4} to \w{3,4} \d{4}/,
    );
    expect(await page.innerText("main")).not.toMatch(WRONG);
  });
});

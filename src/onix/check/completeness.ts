/** Finds out what a product lacks that a shop needs to sell it. */
import { firstDayOfDate, isSpecialDateFormat } from "../date.ts";
import { elementNumber } from "../element-numbers.ts";
import type { HeaderDefaults } from "../message-header.ts";
import { type ElementTree, HAS_ELEMENTS, HAS_TEXT } from "../reader/element-tree.ts";
import { childText, dateFormat, findChild } from "../reader/product-facts.ts";
import { childCode, code } from "./codes.ts";
import { DATATYPES } from "./datatypes.ts";
import { bitOf, completenessOf, NEEDS } from "./needs.ts";
import type { RemarkList } from "./remark-list.ts";
import { rawText } from "./values.ts";

const TITLE = bitOf("title");
const CONTRIBUTOR = bitOf("contributor");
const FORM = bitOf("form");
const LANGUAGE = bitOf("language");
const SUBJECT = bitOf("subject");
const DESCRIPTION = bitOf("description");
const COVER = bitOf("cover");
const PUBLISHER = bitOf("publisher");
const DATE = bitOf("publication date");
const STATUS = bitOf("publishing status");
const AVAILABILITY = bitOf("availability");
const PRICE = bitOf("price");
const BLOCK_1 = TITLE | CONTRIBUTOR | FORM | LANGUAGE | SUBJECT;
const BLOCK_2 = DESCRIPTION | COVER;
const BLOCK_4 = PUBLISHER | DATE | STATUS;
const BLOCK_6 = AVAILABILITY | PRICE;
const ALL_BLOCKS = BLOCK_1 | BLOCK_2 | BLOCK_4 | BLOCK_6;

/** The need that a missing element leaves unmet. Its absence has a remark already. */
const NEED_OF_ELEMENT: Readonly<Record<string, number>> = {
  TitleDetail: TITLE,
  TitleElement: TITLE,
  TitleText: TITLE,
  ProductForm: FORM,
  Imprint: PUBLISHER,
  ProductAvailability: AVAILABILITY,
  Price: PRICE,
  PriceAmount: PRICE,
};

/** NotificationType (list 1): only the blocks of an update are assessed, and nothing of a deletion or a test. */
const UPDATE = code("04");
const NOT_ASSESSED: ReadonlySet<number> = new Set(["05", "88", "89"].map(code));

const NOTIFICATION = elementNumber("NotificationType");
const DELETION_TEXT = elementNumber("DeletionText");
const names = ["DescriptiveDetail", "CollateralDetail", "PublishingDetail", "ProductSupply"] as const;
const [DESCRIPTIVE_DETAIL, COLLATERAL_DETAIL, PUBLISHING_DETAIL, PRODUCT_SUPPLY] = names.map(elementNumber);
const TITLE_DETAIL = elementNumber("TitleDetail");
const TITLE_ELEMENT = elementNumber("TitleElement");
const TITLE_TEXT = elementNumber("TitleText");
const TITLE_WITHOUT_PREFIX = elementNumber("TitleWithoutPrefix");
const LANGUAGE_ELEMENT = elementNumber("Language");
const LANGUAGE_ROLE = elementNumber("LanguageRole");
const TEXT_CONTENT = elementNumber("TextContent");
const TEXT_TYPE = elementNumber("TextType");
const TEXT = elementNumber("Text");
const SUPPORTING_RESOURCE = elementNumber("SupportingResource");
const RESOURCE_CONTENT_TYPE = elementNumber("ResourceContentType");
const PUBLISHING_DATE = elementNumber("PublishingDate");
const PUBLISHING_DATE_ROLE = elementNumber("PublishingDateRole");
const MARKET_PUBLISHING_DETAIL = elementNumber("MarketPublishingDetail");
const MARKET_DATE = elementNumber("MarketDate");
const MARKET_DATE_ROLE = elementNumber("MarketDateRole");
const DATE_ELEMENT = elementNumber("Date");
const SUPPLY_DETAIL = elementNumber("SupplyDetail");
const PRICE_ELEMENT = elementNumber("Price");
const PRICE_AMOUNT = elementNumber("PriceAmount");
const PRICE_CODED = elementNumber("PriceCoded");
const CURRENCY_CODE = elementNumber("CurrencyCode");
const UNPRICED = elementNumber("UnpricedItemType");

/** Elements that meet a need by their presence. */
const PRESENT = new Map<number, number>([
  [elementNumber("Contributor"), CONTRIBUTOR],
  [elementNumber("NoContributor"), CONTRIBUTOR],
  [elementNumber("ProductForm"), FORM],
  [elementNumber("Subject"), SUBJECT],
  [elementNumber("Imprint"), PUBLISHER],
  [elementNumber("Publisher"), PUBLISHER],
  [elementNumber("PublishingStatus"), STATUS],
  [elementNumber("ProductAvailability"), AVAILABILITY],
  [UNPRICED, PRICE],
]);

const PUBLICATION = code("01");
/** LanguageRole (list 22): of the text, of a multilingual edition, of the audio track. */
const LANGUAGE_ROLES: ReadonlySet<number> = new Set(["01", "06", "07", "08"].map(code));
/** TextType (list 153): short description, description. */
const DESCRIPTION_TYPES: ReadonlySet<number> = new Set(["02", "03"].map(code));
/** ResourceContentType (list 158): front cover, cover or pack. */
const COVER_TYPES: ReadonlySet<number> = new Set(["01", "03"].map(code));

export class CompletenessCheck {
  private met = 0;

  constructor(private readonly remarks: RemarkList) {}

  /** Returns what was assessed and what is unmet. Needs in `reported` have a remark already. */
  check(defaults: HeaderDefaults, reportedElements: readonly string[]): number {
    const { tree } = this.remarks;
    const { kind, next } = tree;
    const notification = childCode(tree, 0, NOTIFICATION);
    if (NOT_ASSESSED.has(notification) || isDeletion(tree)) return 0;
    let assessed = notification === UPDATE ? 0 : ALL_BLOCKS;
    this.met = 0;
    for (let child = 1; child < next[0]!; child = next[child]!) {
      const element = kind[child];
      if (element === DESCRIPTIVE_DETAIL) {
        assessed |= BLOCK_1;
        this.readDescription(tree, child, defaults);
      } else if (element === COLLATERAL_DETAIL) {
        assessed |= BLOCK_2;
        this.readCollateral(tree, child);
      } else if (element === PUBLISHING_DETAIL) {
        assessed |= BLOCK_4;
        this.readPublishing(tree, child);
      } else if (element === PRODUCT_SUPPLY) {
        assessed |= BLOCK_6;
        this.readSupply(tree, child, defaults);
      }
    }
    const unmet = assessed & ~this.met;
    if (unmet !== 0) this.remark(unmet, reportedElements);
    return completenessOf(assessed, unmet);
  }

  private remark(unmet: number, reportedElements: readonly string[]): void {
    let silent = 0;
    for (const name of reportedElements) silent |= NEED_OF_ELEMENT[name] ?? 0;
    NEEDS.forEach(({ name, element, hint }, index) => {
      if ((unmet & ~silent & (1 << index)) === 0) return;
      this.remarks.add("incomplete", 0, `The product has no ${name} (${hint}).`, name, element);
    });
  }

  private readDescription(tree: ElementTree, block: number, defaults: HeaderDefaults): void {
    const { kind, next } = tree;
    if (defaults.language !== undefined) this.met |= LANGUAGE;
    for (let child = block + 1; child < next[block]!; child = next[child]!) {
      const element = kind[child]!;
      if (element === TITLE_DETAIL) {
        if ((this.met & TITLE) === 0 && hasTitle(tree, child)) this.met |= TITLE;
      } else if (element === LANGUAGE_ELEMENT) {
        if (LANGUAGE_ROLES.has(childCode(tree, child, LANGUAGE_ROLE))) this.met |= LANGUAGE;
      } else this.met |= PRESENT.get(element) ?? 0;
    }
  }

  private readCollateral(tree: ElementTree, block: number): void {
    const { kind, next } = tree;
    for (let child = block + 1; child < next[block]!; child = next[child]!) {
      if (kind[child] === TEXT_CONTENT) {
        if (DESCRIPTION_TYPES.has(childCode(tree, child, TEXT_TYPE)) && hasText(tree, child)) {
          this.met |= DESCRIPTION;
        }
      } else if (kind[child] === SUPPORTING_RESOURCE) {
        if (COVER_TYPES.has(childCode(tree, child, RESOURCE_CONTENT_TYPE))) this.met |= COVER;
      }
    }
  }

  private readPublishing(tree: ElementTree, block: number): void {
    const { kind, next } = tree;
    for (let child = block + 1; child < next[block]!; child = next[child]!) {
      if (kind[child] === PUBLISHING_DATE) {
        if (isPublicationDate(tree, child, PUBLISHING_DATE_ROLE)) this.met |= DATE;
      } else this.met |= PRESENT.get(kind[child]!) ?? 0;
    }
  }

  private readSupply(tree: ElementTree, block: number, defaults: HeaderDefaults): void {
    const { kind, next } = tree;
    for (let child = block + 1; child < next[block]!; child = next[child]!) {
      if (kind[child] === MARKET_PUBLISHING_DETAIL) {
        for (let date = child + 1; date < next[child]!; date = next[date]!) {
          if (kind[date] !== MARKET_DATE) continue;
          if (isPublicationDate(tree, date, MARKET_DATE_ROLE)) this.met |= DATE;
        }
      } else if (kind[child] === SUPPLY_DETAIL) {
        for (let part = child + 1; part < next[child]!; part = next[part]!) {
          if (kind[part] !== PRICE_ELEMENT) this.met |= PRESENT.get(kind[part]!) ?? 0;
          else if ((this.met & PRICE) === 0 && isUsablePrice(tree, part, defaults)) this.met |= PRICE;
        }
      }
    }
  }
}

/** A DeletionText with text deletes the product, whatever its NotificationType. */
function isDeletion(tree: ElementTree): boolean {
  const text = findChild(tree, 0, DELETION_TEXT);
  return text >= 0 && (tree.flags[text]! & HAS_TEXT) !== 0;
}

function hasTitle(tree: ElementTree, detail: number): boolean {
  const { kind, next, flags } = tree;
  for (let part = detail + 1; part < next[detail]!; part = next[part]!) {
    if (kind[part] !== TITLE_ELEMENT) continue;
    for (let child = part + 1; child < next[part]!; child = next[child]!) {
      const isTitle = kind[child] === TITLE_TEXT || kind[child] === TITLE_WITHOUT_PREFIX;
      if (isTitle && (flags[child]! & HAS_TEXT) !== 0) return true;
    }
  }
  return false;
}

function hasText(tree: ElementTree, content: number): boolean {
  const text = findChild(tree, content, TEXT);
  return text >= 0 && (tree.flags[text]! & (HAS_TEXT | HAS_ELEMENTS)) !== 0;
}

/** A price needs an amount that is a number, and a currency; or it says that there is none. */
function isUsablePrice(tree: ElementTree, price: number, defaults: HeaderDefaults): boolean {
  if (findChild(tree, price, UNPRICED) >= 0 || findChild(tree, price, PRICE_CODED) >= 0) return true;
  const amount = findChild(tree, price, PRICE_AMOUNT);
  if (amount < 0 || (defaults.currency === undefined && findChild(tree, price, CURRENCY_CODE) < 0))
    return false;
  const { next, input, from, to } = tree;
  if (next[amount] === amount + 2)
    return DATATYPES.PositiveDecimal.isValid(input, from[amount + 1]!, to[amount + 1]!);
  const text = Buffer.from(rawText(tree, amount));
  return DATATYPES.PositiveDecimal.isValid(text, 0, text.length);
}

/** Tells whether a date of role 01 can be read. Formats of other calendars count as read. */
function isPublicationDate(tree: ElementTree, node: number, role: number): boolean {
  if (childCode(tree, node, role) !== PUBLICATION) return false;
  const format = dateFormat(tree, node);
  return (
    isSpecialDateFormat(format) || firstDayOfDate(childText(tree, node, DATE_ELEMENT), format) !== undefined
  );
}

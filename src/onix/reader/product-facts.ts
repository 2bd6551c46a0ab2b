/** Extracts from the tree of a product what decides its fate: reference, notification, identifiers, index fields. */

import { elementNumber } from "../element-numbers.ts";
import type { HeaderDefaults } from "../message-header.ts";
import type { Identifier } from "../product-identifiers.ts";
import { IndexFieldCollector } from "../record/index-fields.ts";
import type { IndexFields } from "../scanned-product.ts";
import { DATEFORMAT } from "./attribute-names.ts";
import type { ElementTree } from "./element-tree.ts";
import { attributeText, textOf } from "./tree-text.ts";

/** An identifier of the product, with the node of its IDValue; -1 without one. */
interface SentIdentifier extends Identifier {
  readonly valueNode: number;
}

const REFERENCE = elementNumber("RecordReference");
const NOTIFICATION = elementNumber("NotificationType");
const DELETION_TEXT = elementNumber("DeletionText");
const IDENTIFIER = elementNumber("ProductIdentifier");
const ID_TYPE = elementNumber("ProductIDType");
const ID_VALUE = elementNumber("IDValue");
export const DESCRIPTIVE_DETAIL = elementNumber("DescriptiveDetail");
export const LANGUAGE = elementNumber("Language");
const LANGUAGE_ROLE = elementNumber("LanguageRole");
const LANGUAGE_CODE = elementNumber("LanguageCode");
const PUBLISHING_DETAIL = elementNumber("PublishingDetail");
const IMPRINT = elementNumber("Imprint");
const IMPRINT_NAME = elementNumber("ImprintName");
const PUBLISHER = elementNumber("Publisher");
const PUBLISHING_ROLE = elementNumber("PublishingRole");
const PUBLISHER_NAME = elementNumber("PublisherName");
const PUBLISHING_DATE = elementNumber("PublishingDate");
const PUBLISHING_DATE_ROLE = elementNumber("PublishingDateRole");
const DATE = elementNumber("Date");
const DATE_FORMAT = elementNumber("DateFormat");
const PRODUCT_SUPPLY = elementNumber("ProductSupply");
const MARKET_PUBLISHING_DETAIL = elementNumber("MarketPublishingDetail");
const MARKET_DATE = elementNumber("MarketDate");
const MARKET_DATE_ROLE = elementNumber("MarketDateRole");

const TEXT_LANGUAGE = "01";

export class ProductFacts {
  /** The first RecordReference, or an empty string. */
  reference = "";
  notification = "";
  /** A DeletionText has text. */
  hasDeletionText = false;
  identifiers: SentIdentifier[] = [];
  index: IndexFields = { imprint: undefined, languages: [], publishingDay: undefined, marketDay: undefined };
  /** The text of a publication date that is not a date; empty when there is none. */
  unreadableDate = "";
  /** The node of the first DescriptiveDetail; -1 without one. */
  descriptiveDetail = -1;
  /** The header's language of text applies: DescriptiveDetail states none. */
  needsLanguage = false;
  /** The product has the blocks 1, 4 and 6, which ONIX requires of a complete one. */
  hasRequiredBlocks = false;
  private readonly collector = new IndexFieldCollector();

  read(tree: ElementTree, defaults: HeaderDefaults): void {
    const { collector } = this;
    this.reference = "";
    this.notification = "";
    this.hasDeletionText = false;
    this.identifiers = [];
    this.descriptiveDetail = -1;
    this.needsLanguage = false;
    let hasReference = false;
    let hasNotification = false;
    let hasPublishing = false;
    let hasSupply = false;
    const { kind, next } = tree;
    for (let child = 1; child < next[0]!; child = next[child]!) {
      const element = kind[child]!;
      if (element === REFERENCE) {
        if (!hasReference) this.reference = textOf(tree, child);
        hasReference = true;
      } else if (element === NOTIFICATION) {
        if (!hasNotification) this.notification = textOf(tree, child);
        hasNotification = true;
      } else if (element === DELETION_TEXT) this.hasDeletionText ||= textOf(tree, child) !== "";
      else if (element === IDENTIFIER) this.identifiers.push(readIdentifier(tree, child));
      else if (element === DESCRIPTIVE_DETAIL) this.readDescription(tree, child, defaults);
      else if (element === PUBLISHING_DETAIL) {
        hasPublishing = true;
        this.readPublishing(tree, child);
      } else if (element === PRODUCT_SUPPLY) {
        hasSupply = true;
        this.readSupply(tree, child);
      }
    }
    this.hasRequiredBlocks = this.descriptiveDetail >= 0 && hasPublishing && hasSupply;
    this.unreadableDate = collector.unreadableDate;
    this.index = collector.take();
  }

  private readDescription(tree: ElementTree, block: number, defaults: HeaderDefaults): void {
    const { kind, next } = tree;
    const isFirst = this.descriptiveDetail < 0;
    if (isFirst) this.descriptiveDetail = block;
    let hasTextLanguage = false;
    for (let child = block + 1; child < next[block]!; child = next[child]!) {
      if (kind[child] !== LANGUAGE) continue;
      const role = childText(tree, child, LANGUAGE_ROLE);
      if (role === TEXT_LANGUAGE) hasTextLanguage = true;
      this.collector.addLanguage(role, childText(tree, child, LANGUAGE_CODE));
    }
    if (!isFirst || hasTextLanguage || defaults.language === undefined) return;
    this.needsLanguage = true;
    this.collector.addLanguage(TEXT_LANGUAGE, defaults.language);
  }

  private readPublishing(tree: ElementTree, block: number): void {
    const { kind, next } = tree;
    const { collector } = this;
    for (let child = block + 1; child < next[block]!; child = next[child]!) {
      const element = kind[child];
      if (element === IMPRINT) collector.addImprint(childText(tree, child, IMPRINT_NAME));
      else if (element === PUBLISHER) {
        const name = childText(tree, child, PUBLISHER_NAME);
        collector.addPublisher(childText(tree, child, PUBLISHING_ROLE), name);
      } else if (element === PUBLISHING_DATE) {
        const role = childText(tree, child, PUBLISHING_DATE_ROLE);
        collector.addPublishingDate(role, childText(tree, child, DATE), dateFormat(tree, child));
      }
    }
  }

  private readSupply(tree: ElementTree, block: number): void {
    const { kind, next } = tree;
    for (let child = block + 1; child < next[block]!; child = next[child]!) {
      if (kind[child] !== MARKET_PUBLISHING_DETAIL) continue;
      for (let date = child + 1; date < next[child]!; date = next[date]!) {
        if (kind[date] !== MARKET_DATE) continue;
        const role = childText(tree, date, MARKET_DATE_ROLE);
        this.collector.addMarketDate(role, childText(tree, date, DATE), dateFormat(tree, date));
      }
    }
  }
}

function readIdentifier(tree: ElementTree, node: number): SentIdentifier {
  const valueNode = findChild(tree, node, ID_VALUE);
  const value = valueNode < 0 ? "" : textOf(tree, valueNode);
  return { type: childText(tree, node, ID_TYPE), value, valueNode };
}

/** Returns the format of a date: the attribute `dateformat` of Date or, without it, the element DateFormat. */
export function dateFormat(tree: ElementTree, node: number): string {
  const date = findChild(tree, node, DATE);
  const attribute = date < 0 ? undefined : attributeText(tree, date, DATEFORMAT);
  return attribute || childText(tree, node, DATE_FORMAT);
}

/** Returns the first child that is this element, or -1. */
export function findChild(tree: ElementTree, node: number, element: number): number {
  const { kind, next } = tree;
  for (let child = node + 1; child < next[node]!; child = next[child]!) {
    if (kind[child] === element) return child;
  }
  return -1;
}

/** Returns the text of the first child that is this element, or an empty string. */
export function childText(tree: ElementTree, node: number, element: number): string {
  const child = findChild(tree, node, element);
  return child < 0 ? "" : textOf(tree, child);
}

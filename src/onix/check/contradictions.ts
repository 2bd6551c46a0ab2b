/** Finds dates and codes of a product that cannot all be true. Only certain contradictions are reported. */
import { type Day, subtractDays } from "../date.ts";
import { elementNumber } from "../element-numbers.ts";
import { type ElementTree, IS_PLAIN } from "../reader/element-tree.ts";
import { findChild } from "../reader/product-facts.ts";
import { textOf } from "../reader/tree-text.ts";
import type { ComplaintList } from "./complaint-list.ts";
import { type ComparableDate, comparableDate, isLater } from "./dates.ts";

/** Returns the number of a code of two ASCII characters, such as "01". */
export function code(text: string): number {
  return text.length === 2 ? (text.charCodeAt(0) << 8) | text.charCodeAt(1) : 0;
}

/** Returns the number of the code of an element, or 0 when it is not of two characters. */
export function codeOf(tree: ElementTree, node: number): number {
  const child = node + 1;
  const { input, from, to } = tree;
  if (
    tree.next[node] === child + 1 &&
    (tree.flags[child]! & IS_PLAIN) !== 0 &&
    to[child]! - from[child]! === 2
  ) {
    return (input[from[child]!]! << 8) | input[from[child]! + 1]!;
  }
  return code(textOf(tree, node));
}

/** Returns the number of the code of the first child that is this element, or 0 without one. */
function childCode(tree: ElementTree, node: number, element: number): number {
  const child = findChild(tree, node, element);
  return child < 0 ? 0 : codeOf(tree, child);
}

/** A status may be this much behind the calendar. */
const TOLERATED_DAYS = 180;

/** Two dates of one composite, by their roles: the first must not be later than the second. */
interface DateOrder {
  readonly earlier: number;
  readonly later: number;
  readonly text: string;
}

const order = (earlier: string, later: string, text: string): DateOrder => ({
  earlier: code(earlier),
  later: code(later),
  text,
});

/** PublishingDateRole and MarketDateRole, list 163. */
const PUBLISHING_ORDERS = [
  order("01", "13", "The publication date (01) is after the out-of-print date (13)."),
  order("09", "01", "The public announcement (09) is after the publication date (01)."),
  order("11", "01", "The date of first publication (11) is after the publication date (01)."),
  order(
    "20",
    "01",
    "The first publication in the original language (20) is after the publication date (01).",
  ),
];
/** PriceDateRole, list 173. */
const PRICE_ORDERS = [order("14", "15", "The price ends (15) before it begins (14).")];
/** ContributorDateRole, list 177. */
const CONTRIBUTOR_ORDERS = [order("50", "51", "The contributor is born (50) after dying (51).")];

/** PublishingStatus, list 64. */
const CANCELLED = code("01");
const FORTHCOMING = code("02");
const ACTIVE = code("04");
/** Cancelled, withdrawn from sale, recalled, permanently withdrawn. */
const NOT_FOR_SALE: ReadonlySet<number> = new Set(["01", "11", "15", "17"].map(code));
/** ProductAvailability, list 65: available, in stock, to order, printed on demand. */
const AVAILABLE: ReadonlySet<number> = new Set(["20", "21", "22", "23"].map(code));
/** Not yet available. */
const NOT_YET: ReadonlySet<number> = new Set(["10", "11", "12"].map(code));
const CANCELLED_AVAILABILITY = code("01");
/** Roles: publication date (list 163), expected availability date (list 166). */
const PUBLICATION = code("01");
const EXPECTED_AVAILABILITY = code("08");

const DESCRIPTIVE_DETAIL = elementNumber("DescriptiveDetail");
const CONTRIBUTOR = elementNumber("Contributor");
const CONTRIBUTOR_DATE = elementNumber("ContributorDate");
const CONTRIBUTOR_DATE_ROLE = elementNumber("ContributorDateRole");
const PUBLISHING_DETAIL = elementNumber("PublishingDetail");
const PUBLISHING_STATUS = elementNumber("PublishingStatus");
const PUBLISHING_DATE = elementNumber("PublishingDate");
const PUBLISHING_DATE_ROLE = elementNumber("PublishingDateRole");
const PRODUCT_SUPPLY = elementNumber("ProductSupply");
const MARKET_PUBLISHING_DETAIL = elementNumber("MarketPublishingDetail");
const MARKET_DATE = elementNumber("MarketDate");
const MARKET_DATE_ROLE = elementNumber("MarketDateRole");
const SUPPLY_DETAIL = elementNumber("SupplyDetail");
const PRODUCT_AVAILABILITY = elementNumber("ProductAvailability");
const SUPPLY_DATE = elementNumber("SupplyDate");
const SUPPLY_DATE_ROLE = elementNumber("SupplyDateRole");
const PRICE = elementNumber("Price");
const PRICE_DATE = elementNumber("PriceDate");
const PRICE_DATE_ROLE = elementNumber("PriceDateRole");

export class ContradictionCheck {
  private readonly longAgo: ComparableDate;
  private readonly farAhead: ComparableDate;
  /** PublishingStatus of the product, or 0. */
  private status = 0;

  constructor(
    private readonly complaints: ComplaintList,
    today: Day,
  ) {
    this.longAgo = { value: Number(subtractDays(today, TOLERATED_DAYS)), digits: 8 };
    this.farAhead = { value: Number(subtractDays(today, -TOLERATED_DAYS)), digits: 8 };
  }

  check(): void {
    const { tree } = this.complaints;
    const { kind, next } = tree;
    this.status = 0;
    for (let child = 1; child < next[0]!; child = next[child]!) {
      if (kind[child] === PUBLISHING_DETAIL) this.checkPublishing(tree, child);
      else if (kind[child] === PRODUCT_SUPPLY) this.checkSupply(tree, child);
      else if (kind[child] === DESCRIPTIVE_DETAIL) this.checkContributors(tree, child);
    }
  }

  private checkContributors(tree: ElementTree, block: number): void {
    const { kind, next } = tree;
    for (let child = block + 1; child < next[block]!; child = next[child]!) {
      if (kind[child] !== CONTRIBUTOR) continue;
      this.checkOrders(tree, child, CONTRIBUTOR_DATE, CONTRIBUTOR_DATE_ROLE, CONTRIBUTOR_ORDERS);
    }
  }

  private checkPublishing(tree: ElementTree, block: number): void {
    const { kind, next } = tree;
    let publication = -1;
    let dates = 0;
    for (let child = block + 1; child < next[block]!; child = next[child]!) {
      if (kind[child] === PUBLISHING_STATUS) this.status = codeOf(tree, child);
      else if (kind[child] === PUBLISHING_DATE) {
        dates++;
        if (publication < 0 && childCode(tree, child, PUBLISHING_DATE_ROLE) === PUBLICATION)
          publication = child;
      }
    }
    if (dates > 1) this.checkOrders(tree, block, PUBLISHING_DATE, PUBLISHING_DATE_ROLE, PUBLISHING_ORDERS);
    if (publication < 0 || (this.status !== FORTHCOMING && this.status !== ACTIVE)) return;
    const date = comparableDate(tree, publication);
    if (date === undefined) return;
    if (this.status === FORTHCOMING && isLater(this.longAgo, date)) {
      const text = "The publishing status is forthcoming (02), but the publication date is long past.";
      this.complaints.add("date-contradiction", publication, text, "02");
    } else if (this.status === ACTIVE && isLater(date, this.farAhead)) {
      const text = "The publishing status is active (04), but the publication date is far in the future.";
      this.complaints.add("date-contradiction", publication, text, "04");
    }
  }

  private checkSupply(tree: ElementTree, supply: number): void {
    const { kind, next } = tree;
    for (let child = supply + 1; child < next[supply]!; child = next[child]!) {
      if (kind[child] === MARKET_PUBLISHING_DETAIL) {
        this.checkOrders(tree, child, MARKET_DATE, MARKET_DATE_ROLE, PUBLISHING_ORDERS);
      } else if (kind[child] === SUPPLY_DETAIL) this.checkSupplyDetail(tree, child);
    }
  }

  private checkSupplyDetail(tree: ElementTree, detail: number): void {
    const { kind, next } = tree;
    let availability = 0;
    for (let child = detail + 1; child < next[detail]!; child = next[child]!) {
      if (kind[child] === PRODUCT_AVAILABILITY) {
        availability = codeOf(tree, child);
        this.checkAvailability(child, availability);
      } else if (kind[child] === PRICE) {
        this.checkOrders(tree, child, PRICE_DATE, PRICE_DATE_ROLE, PRICE_ORDERS);
      } else if (kind[child] === SUPPLY_DATE && NOT_YET.has(availability)) {
        if (childCode(tree, child, SUPPLY_DATE_ROLE) !== EXPECTED_AVAILABILITY) continue;
        const date = comparableDate(tree, child);
        if (date === undefined || !isLater(this.longAgo, date)) continue;
        const text = "The product is not yet available, but its expected availability date is long past.";
        this.complaints.add("date-contradiction", child, text, "08");
      }
    }
  }

  private checkAvailability(node: number, availability: number): void {
    const isSold = NOT_FOR_SALE.has(this.status) && AVAILABLE.has(availability);
    const isCancelled = availability === CANCELLED_AVAILABILITY && this.status === ACTIVE;
    if (!isSold && !isCancelled) return;
    const status = formatCode(this.status);
    const word = this.status === CANCELLED ? "cancelled" : isCancelled ? "active" : "withdrawn";
    const text = `The publishing status is ${word} (${status}), but the availability is ${formatCode(availability)}.`;
    this.complaints.add("status-contradiction", node, text, `${status} ${formatCode(availability)}`);
  }

  private checkOrders(
    tree: ElementTree,
    composite: number,
    element: number,
    roleElement: number,
    orders: readonly DateOrder[],
  ): void {
    const { kind, next } = tree;
    let dates: Map<number, number> | undefined;
    for (let child = composite + 1; child < next[composite]!; child = next[child]!) {
      if (kind[child] !== element) continue;
      dates ??= new Map();
      const role = childCode(tree, child, roleElement);
      if (!dates.has(role)) dates.set(role, child);
    }
    if (dates === undefined || dates.size < 2) return;
    for (const { earlier, later, text } of orders) {
      const [first, second] = [dates.get(earlier), dates.get(later)];
      if (first === undefined || second === undefined) continue;
      const [firstDate, secondDate] = [comparableDate(tree, first), comparableDate(tree, second)];
      if (firstDate && secondDate && isLater(firstDate, secondDate)) {
        this.complaints.add(
          "date-contradiction",
          second,
          text,
          `${formatCode(earlier)} ${formatCode(later)}`,
        );
      }
    }
  }
}

function formatCode(number: number): string {
  return String.fromCharCode(number >> 8, number & 255);
}

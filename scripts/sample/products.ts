/** Plans the products of all books: ISBN, date, contributors and related products. */

import { addDays, farDate, pastDate, recentDate, soonDate } from "./calendar.ts";
import { chance, inventIsbn, pick } from "./deterministic.ts";
import type { Book, Credit, Form, Imprint, Product } from "./types.ts";

/** Roles that an audiobook does not have (ONIX list 17). */
const ILLUSTRATOR_ROLES = ["A12", "A13", "A39"];
/** The share of past dates with a year only, and with a year or a year and a month. */
const YEAR_SHARE = 0.06;
const YEAR_OR_MONTH_SHARE = 0.15;

export function isDigital(form: Form): boolean {
  return form === "EA" || form === "ED" || form === "AJ";
}

export function fullTitle(book: Book): string {
  return book.title.replace("|", "");
}

export function plainName(name: string): string {
  return name.replace(/^=/, "").replace("|", " ").trim();
}

function creditsOf(imprint: Imprint, book: Book, form: Form, chance: Product["chance"]): Credit[] {
  const authors = [book.authors ?? []].flat().map((name) => ({ role: "A01", name }));
  const others = (book.otherContributors ?? []).map((credit) => ({
    role: credit.slice(0, 3),
    name: credit.slice(4),
  }));
  if (form !== "AJ") return [...authors, ...others];
  const narrator = {
    role: "E07",
    name: pick(imprint.narrators ?? ["Inés|Barquero Solano"], chance("voice")),
  };
  return [...authors, ...others.filter(({ role }) => !ILLUSTRATOR_ROLES.includes(role)), narrator];
}

/** Returns a date in the past. Some dates have only a year, or a year and a month. */
function partialPastDate(form: Form, isbn: string, chance: Product["chance"]): string {
  const firstYear = form === "AJ" ? 2014 : form === "EA" || form === "ED" ? 2011 : 2005;
  const date = pastDate(firstYear, 2025, isbn);
  const precision = chance("precision");
  if (precision < YEAR_SHARE) return date.slice(0, 4);
  return precision < YEAR_OR_MONTH_SHARE ? date.slice(0, 6) : date;
}

function productsOf(imprint: Imprint): Product[] {
  const products: Product[] = [];
  imprint.books.forEach((book, bookIndex) => {
    const siblings: Product[] = [];
    for (const item of book.products) {
      const [form, when, slot] = item.split(" ") as [Form, string | undefined, string | undefined];
      const isbn = inventIsbn(imprint.prefix ?? "978", imprint.code, (products.length * 37 + 11) % 100);
      const productChance = (key: string) => chance(isbn, key);
      const other = imprint.otherSpelling;
      const stage = when === "recent" || when === "soon" || when === "far" ? when : "old";
      const product: Product = {
        number: 0,
        reference: "",
        isbn,
        imprint,
        imprintName: other && bookIndex % 6 === 5 && bookIndex < other[1] * 6 ? other[0] : imprint.name,
        book,
        form,
        date: undefined,
        marketDate: when === "market" ? pastDate(2012, 2024, isbn) : undefined,
        stage,
        contributors: creditsOf(imprint, book, form, productChance),
        siblings,
        chance: productChance,
      };
      if (when === "far") product.date = farDate(Number(slot));
      else if (when === undefined) product.date = partialPastDate(form, isbn, productChance);
      else if (/^\d+$/.test(when)) product.date = when;
      siblings.push(product);
      products.push(product);
    }
  });
  return products;
}

/** Moves the dates of past e-books and audiobooks that would precede the printed book. */
function moveBehindPrint(products: Product[]): void {
  for (const product of products) {
    if (!isDigital(product.form) || product.stage !== "old" || product.date?.length !== 8) continue;
    const print = product.siblings.find((sibling) => !isDigital(sibling.form));
    if (print?.stage !== "old" || print.date?.length !== 8 || print.date < product.date) continue;
    const moved = addDays(print.date, 14 + Math.floor(product.chance("gap") * 120));
    product.date = moved < "20251215" ? moved : print.date;
  }
}

export function planProducts(imprints: Imprint[]): Product[] {
  const products = imprints.flatMap(productsOf);
  const recent = products.filter(({ stage }) => stage === "recent");
  recent.sort((a, b) => a.chance("recent") - b.chance("recent"));
  recent.forEach((product, index) => {
    product.date = recentDate(index, recent.length);
  });
  products
    .filter(({ stage }) => stage === "soon")
    .forEach((product, index) => {
      product.date = soonDate(index);
    });
  moveBehindPrint(products);
  products.forEach((product, index) => {
    product.number = index + 1;
    product.reference = `org.colophon.sample.${String(index + 1).padStart(4, "0")}`;
  });
  return products;
}

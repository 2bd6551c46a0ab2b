/** From imprints and books to products: each with its ISBN, its date and its relatives. */

import { farDay, later, oldDay, recentDay, soonDay } from "./calendar.ts";
import { chance, inventIsbn, pick } from "./deterministic.ts";
import type { Book, Credit, Form, Imprint, Product } from "./types.ts";

const PICTURES = ["A12", "A13", "A39"];
const SHORT_DATES = { year: 0.06, month: 0.15 };

export function isDigital(form: Form): boolean {
  return form === "EA" || form === "ED" || form === "AJ";
}

export function fullTitle(book: Book): string {
  return book.title.replace("|", "");
}

export function plainName(name: string): string {
  return name.replace(/^=/, "").replace("|", " ").trim();
}

function creditsOf(imprint: Imprint, book: Book, form: Form, dice: (salt: string) => number): Credit[] {
  const authors = [book.by ?? []].flat().map((name) => ({ role: "A01", name }));
  const others = (book.also ?? []).map((credit) => ({ role: credit.slice(0, 3), name: credit.slice(4) }));
  if (form !== "AJ") return [...authors, ...others];
  const reader = { role: "E07", name: pick(imprint.readers ?? ["Inés|Barquero Solano"], dice("voice")) };
  return [...authors, ...others.filter(({ role }) => !PICTURES.includes(role)), reader];
}

/** A date of the past, sometimes known only to the month or the year. */
function oldDate(form: Form, isbn: string, dice: (salt: string) => number): string {
  const first = form === "AJ" ? 2014 : form === "EA" || form === "ED" ? 2011 : 2005;
  const date = oldDay(first, 2025, isbn);
  const precision = dice("precision");
  if (precision < SHORT_DATES.year) return date.slice(0, 4);
  return precision < SHORT_DATES.month ? date.slice(0, 6) : date;
}

function productsOf(imprint: Imprint): Product[] {
  const products: Product[] = [];
  imprint.books.forEach((book, bookIndex) => {
    const siblings: Product[] = [];
    for (const item of book.as) {
      const [form, when, slot] = item.split(" ") as [Form, string | undefined, string | undefined];
      const isbn = inventIsbn(imprint.prefix ?? "978", imprint.code, (products.length * 37 + 11) % 100);
      const dice = (salt: string) => chance(isbn, salt);
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
        marketDate: when === "market" ? oldDay(2012, 2024, isbn) : undefined,
        stage,
        contributors: creditsOf(imprint, book, form, dice),
        siblings,
        chance: dice,
      };
      if (when === "far") product.date = farDay(Number(slot));
      else if (when === undefined) product.date = oldDate(form, isbn, dice);
      else if (/^\d+$/.test(when)) product.date = when;
      siblings.push(product);
      products.push(product);
    }
  });
  return products;
}

/** An e-book of the past does not come before the printed book that it is made of. */
function followPrint(products: Product[]): void {
  for (const product of products) {
    if (!isDigital(product.form) || product.stage !== "old" || product.date?.length !== 8) continue;
    const print = product.siblings.find((sibling) => !isDigital(sibling.form));
    if (print?.stage !== "old" || print.date?.length !== 8 || print.date < product.date) continue;
    const next = later(print.date, 14 + Math.floor(product.chance("gap") * 120));
    product.date = next < "20251215" ? next : print.date;
  }
}

export function planProducts(imprints: Imprint[]): Product[] {
  const products = imprints.flatMap(productsOf);
  const recent = products.filter(({ stage }) => stage === "recent");
  recent.sort((a, b) => a.chance("recent") - b.chance("recent"));
  recent.forEach((product, index) => {
    product.date = recentDay(index, recent.length);
  });
  products
    .filter(({ stage }) => stage === "soon")
    .forEach((product, index) => {
      product.date = soonDay(index);
    });
  followPrint(products);
  products.forEach((product, index) => {
    product.number = index + 1;
    product.reference = `org.colophon.sample.${String(index + 1).padStart(4, "0")}`;
  });
  return products;
}

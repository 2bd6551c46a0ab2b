/** The product form, packaging, measures and extent. */

import { pick } from "./deterministic.ts";
import { isDigital } from "./products.ts";
import type { Form, Product } from "./types.ts";
import { type Element, group, leaf } from "./xml.ts";

/** ProductFormDetail by product form (ONIX lists 175 and 150). */
const FORM_DETAILS: Record<Form, string[]> = {
  BB: ["B401", "B402", "B501", "B304"],
  BC: ["B504", "B304", "B305"],
  BE: ["B312"],
  BG: ["B403"],
  BH: ["B520"],
  BO: ["B511"],
  PC: [],
  SC: [],
  EA: ["E101"],
  ED: ["E107"],
  AJ: ["A103"],
};

const SECOND_FORM_DETAILS: Partial<Record<Form, string>> = { BB: "B506", BC: "B415", EA: "E200", AJ: "A312" };

/** The usual paperback format of a country. */
const PAPERBACK_DETAILS: Record<string, string> = { US: "B102", GB: "B105", FR: "B113", DE: "B131" };

/** Height and width in millimetres, by product form. */
const SIZES_MM: Record<string, [number, number][]> = {
  BB: [
    [235, 155],
    [240, 160],
    [225, 145],
  ],
  BC: [
    [198, 129],
    [190, 125],
    [210, 140],
    [178, 110],
  ],
  BG: [[210, 135]],
  BE: [[220, 160]],
  BH: [[180, 180]],
  BO: [[320, 240]],
  PC: [[300, 300]],
  SC: [[215, 145]],
};

function formDetails({ form, imprint, chance }: Product): string[] {
  const selection = chance("details");
  if (selection < 0.06) return [];
  const local = form === "BC" ? (PAPERBACK_DETAILS[imprint.country] ?? "B132") : undefined;
  const first = local && selection < 0.5 ? local : pick(FORM_DETAILS[form], chance("detail"));
  const second = selection > 0.86 ? SECOND_FORM_DETAILS[form] : undefined;
  return [first, second].filter((code) => code !== undefined);
}

function packaging({ form, chance }: Product): string {
  if (form === "SC") return "10";
  if (form === "PC") return "21";
  return form === "BC" ? "00" : pick(["00", "21", "00", "08"], chance("packaging"));
}

function size({ form, book, chance }: Product): {
  height: number;
  width: number;
  thickness: number;
  grams: number;
} {
  const isPictureBook = book.kind === "childPicture" || book.kind === "exhibition" || book.kind === "atlas";
  const [height, width] = isPictureBook && form === "BB" ? [280, 240] : pick(SIZES_MM[form]!, chance("size"));
  const cover = form === "BC" ? 1 : form === "BH" ? 8 : 6;
  const thickness = Math.max(4, Math.round(book.pages * (isPictureBook ? 0.07 : 0.055) + cover));
  const grams = Math.round(
    (book.pages / 2) * (height * width * 1e-6) * (isPictureBook ? 150 : 80) + cover * 14 + 20,
  );
  return { height, width, thickness, grams };
}

function measures(product: Product): Element[] {
  const [lengthUnit, weightUnit] = product.imprint.units;
  const { height, width, thickness, grams } = size(product);
  const length = (millimetres: number) =>
    lengthUnit === "in" ? (millimetres / 25.4).toFixed(2) : String(millimetres);
  const weights = { lb: (grams / 453.592).toFixed(2), kg: (grams / 1000).toFixed(3), gr: String(grams) };
  const measure = (type: string, value: string, unit: string) =>
    group("Measure", leaf("MeasureType", type), leaf("Measurement", value), leaf("MeasureUnitCode", unit));
  return [
    measure("01", length(height), lengthUnit),
    measure("02", length(width), lengthUnit),
    measure("03", length(thickness), lengthUnit),
    measure("08", weights[weightUnit], weightUnit),
  ];
}

function contentType({ form, book }: Product): string {
  if (form === "AJ") return "01";
  if (book.kind === "atlas") return "12";
  return book.kind === "childPicture" || book.kind === "exhibition" ? "07" : "10";
}

/** Returns the parts of a boxed set. */
function setParts({ form, imprint }: Product, products: Product[]): Element[] {
  if (form !== "SC") return [];
  return products
    .filter((part) => part.imprint === imprint && part.book.collection && part.book.collection[1]! <= 3)
    .map((part) =>
      group(
        "ProductPart",
        group("ProductIdentifier", leaf("ProductIDType", "15"), leaf("IDValue", part.isbn)),
        leaf("ProductForm", part.form),
        leaf("NumberOfCopies", 1),
      ),
    );
}

export function formOf(product: Product, products: Product[]): Element[] {
  const { form, imprint, chance } = product;
  const digital = isDigital(form);
  return [
    leaf("ProductComposition", form === "SC" ? "10" : "00"),
    leaf("ProductForm", form),
    ...formDetails(product).map((code) => leaf("ProductFormDetail", code)),
    ...(digital ? [] : [leaf("ProductPackaging", packaging(product))]),
    leaf("PrimaryContentType", contentType(product)),
    ...(digital ? [] : measures(product)),
    ...(digital ? [] : [leaf("CountryOfManufacture", pick(imprint.countriesOfManufacture, chance("made")))]),
    ...(digital
      ? [leaf("EpubTechnicalProtection", pick(["00", "02", "02", "03", "06"], chance("protection")))]
      : []),
    ...setParts(product, products),
  ];
}

/** Returns the length of an audiobook in minutes. */
export function minutesOf({ book, chance }: Product): number {
  return Math.round(book.pages * (1.5 + chance("pace") * 0.3));
}

function extent(type: string, value: string | number, unit: string): Element {
  return group("Extent", leaf("ExtentType", type), leaf("ExtentValue", value), leaf("ExtentUnit", unit));
}

export function extentsOf(product: Product): Element[] {
  const { form, book, chance } = product;
  if (form === "AJ") {
    const minutes = minutesOf(product);
    if (chance("extent") < 0.5) return [extent("09", minutes, "05")];
    const hoursAndMinutes = `${String(Math.floor(minutes / 60)).padStart(3, "0")}${String(minutes % 60).padStart(2, "0")}`;
    return [extent("09", hoursAndMinutes, "15"), extent("22", Math.round(minutes * 0.9), "19")];
  }
  if (isDigital(form)) {
    return [extent("10", book.pages, "03"), extent("22", (0.4 + book.pages / 400).toFixed(1), "19")];
  }
  if (chance("extent") > 0.85) {
    const frontPages = 8 + 2 * Math.floor(chance("front") * 6);
    return [
      extent("00", book.pages - frontPages, "03"),
      extent("03", frontPages, "03"),
      extent("07", book.pages, "03"),
    ];
  }
  return [extent(chance("extent") < 0.5 ? "00" : "11", book.pages, "03")];
}

/** What the product is: form, extents, measures, languages, edition and content. */
import { extentText, measureText, numberText } from "../../shared/format/quantities.ts";
import { nameInWords } from "../record/element-names.ts";
import { type Fact, type Fields, factOf, factsOf, type Shown, type ViewContext } from "../record/fields.ts";

interface ProductView {
  readonly form: Shown | undefined;
  /** The first detail of the form, such as EPUB. */
  readonly formDetail: Shown | undefined;
  readonly formFacts: readonly Fact[];
  readonly extents: readonly Fact[];
  /** The extent that says most: pages before others. */
  readonly mainExtent: Shown | undefined;
  readonly measures: readonly Fact[];
  readonly languages: readonly Fact[];
  readonly edition: readonly Fact[];
  readonly content: readonly Fact[];
}

/** ONIX list 24. */
const PAGES = "03";

export function readProduct(descriptive: Fields, context: ViewContext): ProductView {
  descriptive.flag("NoEdition");
  descriptive.flag("NoCollection");
  const extents = descriptive.flatMap("Extent", (extent) => extentOf(extent, context));
  const inPages = descriptive.composites("Extent").findIndex((extent) => extent.code("ExtentUnit") === PAGES);
  return {
    form: descriptive.one("ProductForm"),
    formDetail: descriptive.all("ProductFormDetail")[0],
    extents,
    mainExtent: extents[Math.max(inPages, 0)]?.values[0],
    formFacts: [
      ...factsOf(descriptive, ["ProductForm", "ProductFormDetail", "ProductFormDescription"], context),
      ...featuresOf(descriptive, context),
      ...factsOf(descriptive, ["ProductComposition", "ProductPackaging", "TradeCategory"], context),
      ...factsOf(descriptive, ["CountryOfManufacture", "EpubTechnicalProtection"], context),
    ],
    measures: descriptive.flatMap("Measure", (measure) => measureOf(measure, context)),
    languages: descriptive.flatMap("Language", languageOf),
    edition: factsOf(
      descriptive,
      ["EditionType", "EditionNumber", "EditionVersionNumber", "EditionStatement"],
      context,
    ),
    content: [
      ...factsOf(descriptive, ["PrimaryContentType", "ProductContentType", "Illustrated"], context),
      ...factsOf(descriptive, ["NumberOfIllustrations", "IllustrationsNote"], context),
      ...descriptive.flatMap("AncillaryContent", (each) => ancillaryOf(each, context)),
    ],
  };
}

/** A feature has a type, and a value or a description or both. The type alone says something, too. */
function featuresOf(descriptive: Fields, { language }: ViewContext): readonly Fact[] {
  return descriptive.flatMap("ProductFormFeature", (feature) => {
    const type = feature.one("ProductFormFeatureType");
    const values = [
      ...feature.all("ProductFormFeatureValue"),
      ...feature.all("ProductFormFeatureDescription"),
    ];
    if (!type) return factOf(nameInWords("ProductFormFeature", language), values);
    return values.length > 0
      ? [{ name: type.text, values }]
      : [{ name: nameInWords("ProductFormFeature", language), values: [type] }];
  });
}

function extentOf(extent: Fields, { language }: ViewContext): readonly Fact[] {
  const type = extent.one("ExtentType");
  const [value, roman] = [extent.one("ExtentValue"), extent.one("ExtentValueRoman")];
  const unit = extent.one("ExtentUnit");
  const shown: Shown | undefined = value && {
    text: extentText(value.text, unit?.raw ?? "", unit?.text ?? "", language),
    raw: value.text,
  };
  return factOf(type?.text ?? nameInWords("Extent", language), [shown, roman]);
}

function measureOf(measure: Fields, { language }: ViewContext): readonly Fact[] {
  const type = measure.one("MeasureType");
  const value = measure.one("Measurement");
  const unit = measure.one("MeasureUnitCode");
  const shown: Shown | undefined = value && {
    text: measureText(value.text, unit?.raw ?? "", unit?.text ?? "", language),
    raw: value.text,
  };
  return factOf(type?.text ?? nameInWords("Measure", language), [shown]);
}

function languageOf(language: Fields): readonly Fact[] {
  const role = language.one("LanguageRole");
  const values = ["LanguageCode", "CountryCode", "RegionCode", "ScriptCode"].flatMap((name) =>
    language.all(name),
  );
  return role && values.length > 0 ? [{ name: role.text, values }] : [];
}

function ancillaryOf(content: Fields, { language }: ViewContext): readonly Fact[] {
  const type = content.one("AncillaryContentType");
  const number = content.one("Number");
  return factOf(type?.text ?? nameInWords("AncillaryContent", language), [
    number && { text: numberText(number.text, language), raw: number.text },
    ...content.all("AncillaryContentDescription"),
  ]);
}

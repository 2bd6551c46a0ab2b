/**
 * `npm run tables [FOLDER [OUTPUT]]`: generates src/onix/generated/, or the folder OUTPUT, from the ONIX standard.
 *
 * FOLDER contains tags.json, codes.json and schemas/ (default: ../shared/onix beside the project). The tables contain
 * only facts of the standard: names, tags, positions, codes, labels. Spanish labels that the official translation lacks
 * come from scripts/spanish.json, which also lists the codes whose label is the same in both languages.
 */
import { join } from "node:path";
import { ContentModel, childOrder } from "../src/onix/check/content-model.ts";
import { readSchema, type SchemaRow } from "./schema.ts";

const project = join(import.meta.dir, "..");
const standardFolder = process.argv[2] ?? join(project, "../shared/onix");
const tablesFolder = process.argv[3] ?? join(project, "src/onix/generated");

/**
 * The categories of the translation table: one for each code list that a book record can contain codes of.
 * The first four names come from the specification. Lists 221-226 and 261 belong to acknowledgement messages only.
 */
const categories: readonly (readonly [list: number, name: string])[] = rows`
  150 product_forms, 74 languages, 64 publishing_status, 65 product_availability, 1 notification_types,
  2 product_compositions, 3 record_source_types, 5 product_identifier_types, 9 product_classification_types,
  12 trade_categories, 13 collection_identifier_types, 14 text_cases, 15 title_types,
  16 work_identifier_types, 17 contributor_roles, 18 name_types, 19 unnamed_persons, 20 event_roles,
  21 edition_types, 22 language_roles, 23 extent_types, 24 extent_units, 25 ancillary_content_types,
  27 subject_schemes, 28 audience_codes, 29 audience_code_types, 30 audience_range_qualifiers,
  31 audience_range_precisions, 32 complexity_schemes, 34 text_formats, 41 prize_codes, 42 text_item_types,
  43 text_item_identifier_types, 44 name_identifier_types, 45 publishing_roles, 46 sales_rights_types,
  48 measure_types, 49 regions, 50 measure_units, 51 product_relations, 53 returns_code_types,
  55 date_formats, 57 unpriced_item_types, 58 price_types, 59 price_qualifiers, 60 pricing_units,
  61 price_status, 62 tax_rates, 66 returnable_indicators, 68 market_publishing_status, 69 agent_roles,
  70 stock_quantity_code_types, 71 sales_restriction_types, 72 thesis_types, 73 website_roles,
  76 dvd_regions, 77 school_grades_us_canada, 79 product_form_feature_types, 80 product_packagings,
  81 product_content_types, 82 bible_contents, 83 bible_versions, 84 study_bible_types, 85 bible_purposes,
  86 bible_text_organizations, 87 bible_reference_locations, 88 religious_text_identifiers,
  89 religious_text_feature_types, 90 religious_text_features, 91 countries, 92 supplier_identifier_types,
  93 supplier_roles, 96 currencies, 97 bible_text_features, 98 binding_colors, 99 cover_materials,
  100 discount_code_types, 102 sales_outlet_identifier_types, 121 scripts, 139 sales_outlets,
  141 barcode_types, 142 positions_on_product, 143 hazard_warnings, 144 technical_protections,
  145 usage_types, 146 usage_status, 147 usage_units, 148 collection_types, 149 title_element_levels,
  151 contributor_place_relators, 152 illustrated, 153 text_types, 154 content_audiences,
  155 content_date_roles, 156 cited_content_types, 157 source_types, 158 resource_content_types,
  159 resource_modes, 160 resource_feature_types, 161 resource_forms, 162 resource_version_feature_types,
  163 publishing_date_roles, 164 work_relations, 165 supplier_code_types, 166 supply_date_roles,
  167 price_condition_types, 168 price_condition_quantity_types, 169 quantity_units, 170 discount_types,
  171 tax_types, 172 currency_zones, 173 price_date_roles, 174 printed_on_product, 175 product_form_details,
  176 operating_systems, 177 contributor_date_roles, 178 resource_file_formats, 179 price_code_types,
  184 safety_warnings, 196 accessibility_details, 197 collection_sequence_types, 198 product_contact_roles,
  203 adult_audience_ratings, 204 returns_conditions, 215 proximities, 216 velocity_metrics,
  217 price_identifier_types, 218 license_expression_types, 219 copyright_types, 220 epublication_versions,
  227 school_grades_china, 228 funding_identifier_types, 229 genders, 230 price_constraint_types,
  238 educational_levels_brazil, 239 supply_contact_roles, 240 av_item_types, 241 av_item_identifier_types,
  242 battery_types, 243 dangerous_goods, 244 event_identifier_types, 245 event_types, 246 event_status,
  247 event_occurrence_date_roles, 248 specification_details, 249 specification_feature_types,
  250 resource_identifier_types, 251 resource_roles, 252 resource_file_details,
  253 resource_file_feature_types, 254 resource_file_date_roles, 255 insert_point_types,
  256 resource_feature_codes, 257 paper_colors, 258 special_finishes, 259 collection_frequencies,
  260 license_date_roles, 262 emissions_certification_schemes, 263 prize_identifier_types
`;

function rows(text: TemplateStringsArray): [number, string][] {
  return text
    .join("")
    .trim()
    .split(/,\s+/)
    .map((row) => row.split(" "))
    .map(([list, name]) => [Number(list), name!]);
}

interface Tag {
  reference: string;
  short: string;
  kind: "data" | "composite" | "mixed-xhtml" | "empty";
  repeatable_in: string[];
  single_in: string[];
  codelists: number[];
}
interface Code {
  eng: string;
  /** The issue of the code lists that deprecated the code. */
  deprecated: number | null;
  spa: string | null;
  spa_untranslated?: boolean;
}
type Lists = Record<string, { eng: string; codes: Record<string, Code> }>;

const tags: Tag[] = (await Bun.file(join(standardFolder, "tags.json")).json()).elements;
const codes: { meta: { eng: string }; lists: Lists } = await Bun.file(
  join(standardFolder, "codes.json"),
).json();
const own: { asInEnglish: Record<string, string>; labels: Record<string, Record<string, string>> } =
  await Bun.file(join(project, "scripts/spanish.json")).json();

const schema30 = await readSchema(standardFolder, "3.0");
const schema31 = await readSchema(standardFolder, "3.1");

await Bun.write(join(tablesFolder, "elements.json"), formatTable(elementTable()));
await Bun.write(join(tablesFolder, "codes.json"), formatTable(codeTable()));
await Bun.write(join(tablesFolder, "schema.json"), formatTable(schemaTable()));
await Bun.write(join(tablesFolder, "deprecated-codes.json"), formatTable(deprecatedCodes()));

/**
 * Returns an entry for each element: short tag, kind, parents where it is repeatable (`many`), parents where it is not
 * (`one`), code lists, and children in the order of the schema.
 */
function elementTable(): Record<string, unknown> {
  const children = mergeOrders(childOrders(schema31), childOrders(schema30));
  const kinds = { data: "data", composite: "composite", "mixed-xhtml": "markup", empty: "flag" };
  return Object.fromEntries(
    tags.map((tag) => [
      tag.reference,
      {
        short: tag.short,
        kind: kinds[tag.kind],
        ...(tag.repeatable_in.length > 0 && { many: tag.repeatable_in }),
        ...(tag.single_in.length > 0 && { one: tag.single_in }),
        ...(tag.codelists.length > 0 && { lists: tag.codelists }),
        ...(children[tag.reference] && { children: children[tag.reference] }),
      },
    ]),
  );
}

/** Returns the children of every composite, in the order of the schema. */
function childOrders(schema: ReadonlyMap<string, SchemaRow>): Record<string, string[]> {
  const order: Record<string, string[]> = {};
  const orders = [...schema].flatMap(([name, { model }]) =>
    model === undefined ? [] : [[name, new ContentModel(model)] as const],
  );
  for (const [name, model] of orders) if (isElement(name)) order[name] = childOrder(model);
  // An element that is declared in its place may have different types: the union of their children counts.
  for (const { name, row } of orders.flatMap(([, model]) => model.particles)) {
    if (name === row) continue;
    const children = childOrder(new ContentModel(schema.get(row)!.model!));
    order[name] = [...new Set([...(order[name] ?? []), ...children])];
  }
  return order;
}

function isElement(name: string): boolean {
  return tags.some(({ reference }) => reference === name);
}

/**
 * Returns content model, datatype, attributes and unique constraints of each element, for the quality checks.
 * A member is one value for both releases, or the pair of 3.0 and 3.1. Lists are joined.
 */
function schemaTable(): Record<string, unknown> {
  const names = [...new Set([...schema30.keys(), ...schema31.keys()])].sort();
  return Object.fromEntries(
    names.map((name) => {
      const [older, newer] = [schema30.get(name), schema31.get(name)].map(
        (row) =>
          row && {
            in: "both",
            model: row.model,
            type: row.type,
            attributes: row.attributes?.join(" "),
            unique: row.unique?.join("; "),
          },
      );
      const members = (["in", "model", "type", "attributes", "unique"] as const).flatMap((member) => {
        const values = [older?.[member] ?? null, newer?.[member] ?? null];
        if (member === "in") return older && newer ? [] : [["in", older ? "3.0" : "3.1"]];
        if (values.every((value) => value === null)) return [];
        const isSame = !older || !newer || values[0] === values[1];
        return [[member, isSame ? (values[0] ?? values[1]) : values]];
      });
      return [name, Object.fromEntries(members)];
    }),
  );
}

/** Returns the deprecated codes of each list, with the issue that deprecated them. */
function deprecatedCodes(): Record<string, unknown> {
  return Object.fromEntries(
    categories.flatMap(([list]) => {
      const deprecated = Object.entries(codes.lists[list]?.codes ?? {}).flatMap(
        ([code, { deprecated: issue }]) => (issue === null ? [] : [[code, issue]]),
      );
      return deprecated.length > 0 ? [[list, Object.fromEntries(deprecated)]] : [];
    }),
  );
}

/** Adds the children that only the older release has, each after its predecessor in that release. */
function mergeOrders(
  newer: Record<string, string[]>,
  older: Record<string, string[]>,
): Record<string, string[]> {
  const merged = structuredClone(newer);
  for (const [parent, children] of Object.entries(older)) {
    merged[parent] ??= [];
    const target = merged[parent];
    children.forEach((child, index) => {
      if (target.includes(child)) return;
      const predecessor = children.slice(0, index).findLast((name) => target.includes(name));
      target.splice(predecessor === undefined ? 0 : target.indexOf(predecessor) + 1, 0, child);
    });
  }
  return merged;
}

/** Returns the code lists that elements and attributes of a record use, by the name of the category. */
function codeTable(): Record<string, unknown> {
  const usedLists = new Set(tags.flatMap((tag) => tag.codelists));
  const issue = /Issue (\d+)/.exec(codes.meta.eng)?.[1];
  const namedLists = new Set(categories.map(([list]) => list));
  const unnamed = [...usedLists].filter((list) => !namedLists.has(list));
  if (unnamed.length > 0)
    throw new Error(`code lists ${unnamed} have no category: add them to scripts/tables.ts`);
  const table: Record<string, unknown> = { issue: Number(issue) };
  for (const [list, name] of categories) {
    const rows = Object.entries(codes.lists[list]?.codes ?? {}).map(
      ([code, { eng, spa, spa_untranslated }]) => {
        const isSame = own.asInEnglish[list]?.split(" ").includes(code);
        const label = isSame ? eng : (own.labels[list]?.[code] ?? (spa_untranslated ? undefined : spa));
        if (!label)
          throw new Error(
            `list ${list}, code ${code} (${eng}) has no Spanish label: add it to scripts/spanish.json`,
          );
        return [code, eng.trim(), label.trim()] as const;
      },
    );
    // EDItEUR has not defined any code of list 88 yet: an empty category would put words to nothing.
    if (rows.length === 0) continue;
    // An array of rows, because a JavaScript object would put the key "10" before "02".
    rows.sort(([a], [b]) => (a < b ? -1 : 1));
    table[name] = { list, title: codes.lists[list]!.eng.trim(), codes: rows };
  }
  return table;
}

/** Returns JSON with one line for each member, so that changes of the standard show up in a diff. */
function formatTable(table: Record<string, unknown>): string {
  const members = Object.entries(table).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{\n${members.join(",\n")}\n}\n`;
}

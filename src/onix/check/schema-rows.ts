/** The schema of a release as typed arrays. `npm run tables` generates the table behind it. */
import { codesOfList, listOfDatatype } from "../code-lists.ts";
import { codeListsOf, ELEMENT_COUNT, elementName, elementNumber, packCode } from "../element-numbers.ts";
import deprecatedTable from "../generated/deprecated-codes.json" with { type: "json" };
import schemaTable from "../generated/schema.json" with { type: "json" };
import type { OnixRelease } from "../message-version.ts";
import { ContentModel, NO_STATE } from "./content-model.ts";
import { DATATYPES, type Datatype, type DatatypeName } from "./datatypes.ts";

/** The schema of an element, in one release. */
export interface SchemaRow {
  /** Of a composite. */
  readonly content: CompiledModel | undefined;
  /** Of a data element. */
  readonly datatype: Datatype | undefined;
  readonly type: DatatypeName | "Flow" | undefined;
  /** A text on one line, whatever it says. */
  readonly isAnyText: boolean;
  /** The packed codes that are deprecated, with the issue that deprecated them. */
  readonly deprecatedCodes: ReadonlyMap<number, number> | undefined;
  readonly attributes: ReadonlySet<string>;
  /** Constraints on children of one name, by their element. They are checked when such a child repeats. */
  readonly uniqueChildren: ReadonlyMap<number, readonly UniqueConstraint[]>;
  /** The other constraints. */
  readonly uniqueNodes: readonly UniqueConstraint[];
}

/** A content model, with the rows of the children, by element number. */
interface CompiledModel {
  readonly model: ContentModel;
  /** The column of each element, or 0, which is the column of all others. */
  readonly columns: Uint8Array;
  readonly columnCount: number;
  /** The next state, by state * columnCount + column. */
  readonly transitions: Int16Array;
  readonly mayEnd: Uint8Array;
  /** Returns the row of the child of a state. An element that is declared in its place has the row of its type. */
  rowOf(state: number): SchemaRow;
}

/** Nodes of the selector differ in the values of the fields. */
export interface UniqueConstraint {
  /** One or two steps; each step is one or more elements. */
  readonly selector: readonly (readonly number[])[];
  /** An element, `@name`, or `.` for the node itself. */
  readonly fields: readonly (number | string)[];
}

type Member = string | readonly (string | null)[];

interface TableRow {
  readonly in?: OnixRelease;
  readonly model?: Member;
  readonly type?: Member;
  readonly attributes?: Member;
  readonly unique?: Member;
}

const table = schemaTable as Record<string, TableRow>;
const schemas = new Map<OnixRelease, Schema>();

/** Returns the schema of a release. Rows are compiled when they are first used. */
export function schemaOf(release: OnixRelease): Schema {
  const schema = schemas.get(release) ?? new Schema(release);
  schemas.set(release, schema);
  return schema;
}

export class Schema {
  private readonly rows = new Map<string, SchemaRow>();
  private readonly byElement: (SchemaRow | undefined)[] = new Array(ELEMENT_COUNT).fill(undefined);

  constructor(readonly release: OnixRelease) {}

  row(element: number): SchemaRow {
    this.byElement[element] ??= this.rowNamed(elementName(element), element);
    return this.byElement[element];
  }

  /** Tells whether the release has the element at all. */
  has(name: string): boolean {
    const row = table[name];
    return row === undefined || row.in === undefined || row.in === this.release;
  }

  private rowNamed(name: string, element: number): SchemaRow {
    const known = this.rows.get(name);
    if (known) return known;
    const row = table[name] ?? {};
    const type = this.member(row.type) as SchemaRow["type"];
    const expression = this.member(row.model);
    const unique = (this.member(row.unique)?.split("; ") ?? []).map(parseConstraint);
    const compiled: SchemaRow = {
      content: expression === undefined ? undefined : this.compile(expression),
      datatype: type === undefined || type === "Flow" ? undefined : DATATYPES[type],
      type,
      isAnyText: type === "NonEmptyString",
      deprecatedCodes: deprecatedCodes(listsOf(type, element)),
      attributes: new Set(this.member(row.attributes)?.split(" ")),
      uniqueChildren: Map.groupBy(unique.filter(isOnChildren), ({ selector }) => selector[0]![0]!),
      uniqueNodes: unique.filter((constraint) => !isOnChildren(constraint)),
    };
    this.rows.set(name, compiled);
    return compiled;
  }

  private compile(expression: string): CompiledModel {
    const model = new ContentModel(expression);
    const names = [...new Set(model.particles.map(({ name }) => name))];
    const columns = new Uint8Array(ELEMENT_COUNT);
    names.forEach((name, index) => {
      columns[elementNumber(name)] = index + 1;
    });
    const columnCount = names.length + 1;
    const transitions = new Int16Array(model.following.length * columnCount).fill(NO_STATE);
    model.following.forEach((states, state) => {
      for (const next of states) {
        transitions[state * columnCount + names.indexOf(model.particle(next).name) + 1] = next;
      }
    });
    const rows: (SchemaRow | undefined)[] = model.following.map(() => undefined);
    const rowOf = (state: number): SchemaRow => {
      if (rows[state] === undefined) {
        const { name, row } = model.particle(state);
        const element = elementNumber(name);
        rows[state] = name === row ? this.row(element) : this.rowNamed(row, element);
      }
      return rows[state];
    };
    return { model, columns, columnCount, transitions, mayEnd: Uint8Array.from(model.mayEnd, Number), rowOf };
  }

  private member(value: Member | undefined): string | undefined {
    if (value === undefined || typeof value === "string") return value;
    return value[this.release === "3.0" ? 0 : 1] ?? undefined;
  }
}

/** Lists of codes have their code list in the datatype. */
function listsOf(type: string | undefined, element: number): readonly number[] {
  const list = listOfDatatype(type);
  return list === undefined ? codeListsOf(element) : [list];
}

export function packedCodes(lists: readonly number[]): ReadonlySet<number> {
  return new Set(lists.flatMap(codesOfList).map(pack));
}

function deprecatedCodes(lists: readonly number[]): ReadonlyMap<number, number> | undefined {
  const deprecated = deprecatedTable as Record<string, Record<string, number>>;
  const codes = lists.flatMap((list) => Object.entries(deprecated[list] ?? {}));
  return codes.length > 0 ? new Map(codes.map(([code, issue]) => [pack(code), issue])) : undefined;
}

function pack(code: string): number {
  return packCode(Buffer.from(code), 0, code.length);
}

function isOnChildren({ selector }: UniqueConstraint): boolean {
  return selector.length === 1 && selector[0]!.length === 1;
}

function parseConstraint(text: string): UniqueConstraint {
  const [selector = "", ...fields] = text.split(" ");
  return {
    selector: selector.split("/").map((step) => step.split("|").map(elementNumber)),
    fields: fields.map((field) => (/^[.@]/.test(field) ? field : elementNumber(field))),
  };
}

/** The query of a request: split and decoded once, whatever reads it afterwards. */

/** Values by name, in their order. A value whose percent-encoding or UTF-8 is broken is undefined. */
type Given = readonly (string | undefined)[];

const NONE: Given = [];

export class Query {
  static readonly empty = new Query("");

  readonly #values = new Map<string, (string | undefined)[]>();

  private constructor(text: string) {
    if (text === "") return;
    for (const pair of text.split("&")) {
      const equals = pair.indexOf("=");
      const name = decodeFormValue(equals < 0 ? pair : pair.slice(0, equals));
      if (name === undefined) continue;
      const value = equals < 0 ? "" : decodeFormValue(pair.slice(equals + 1));
      const given = this.#values.get(name);
      if (given) given.push(value);
      else this.#values.set(name, [value]);
    }
  }

  /** Takes the query as it was sent, without the question mark. Nearly all lookups have none. */
  static of(text: string): Query {
    return text === "" ? Query.empty : new Query(text);
  }

  /** Returns all values of a parameter: none when the request does not have it. */
  values(name: string): Given {
    return this.#values.get(name) ?? NONE;
  }
}

/** Returns undefined when the percent-encoding or its UTF-8 is broken. */
export function decodeSegment(raw: string): string | undefined {
  if (!raw.includes("%")) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

/** application/x-www-form-urlencoded, as browsers send queries: a plus is a space. */
function decodeFormValue(raw: string): string | undefined {
  return decodeSegment(raw.replaceAll("+", " "));
}

/** Returns a query string with the parameters that are defined. */
export function encodeQuery(parameters: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${encodeURIComponent(value)}`))
    .join("&");
}

/** The header fields of a request: RFC 9112, 5. Whatever another reader could take differently is refused. */

/** Each line with the CRLF before it. RFC 9110, 5.6.2 and 5.5: a token, a colon, and no control character. */
const LINE = /\r\n([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)/y;

/** Browsers send some 20. */
const MOST_FIELDS = 100;

export class Fields {
  readonly #values: ReadonlyMap<string, string>;
  /** Of the body, in bytes. Undefined: it has an end that we do not look for. */
  readonly bodyLength: number | undefined;
  /** The client wants the connection to end with the answer. */
  readonly last: boolean;

  private constructor(values: ReadonlyMap<string, string>, bodyLength: number | undefined) {
    this.#values = values;
    // RFC 9110, 10.1.1: who waits for a 100 is given the answer instead, and may not send the body then.
    this.bodyLength = values.has("expect") && bodyLength !== 0 ? undefined : bodyLength;
    const options = values.get("connection")?.toLowerCase().split(",") ?? [];
    this.last = options.some((option) => option.trim() === "close");
  }

  /** The name is in lower case. A field that came more than once is one list. */
  get(name: string): string | null {
    return this.#values.get(name) ?? null;
  }

  /** The fields of a block of lines, each after a CRLF. */
  static parse(block: string): Fields | "malformed" | "too many" {
    const values = new Map<string, string>();
    let count = 0;
    LINE.lastIndex = 0;
    for (let at = 0; at < block.length; at = LINE.lastIndex) {
      const line = LINE.exec(block);
      if (!line) return "malformed";
      if (++count > MOST_FIELDS) return "too many";
      const name = line[1]!.toLowerCase();
      const value = withoutBlanksBehind(line[2]!);
      const before = values.get(name);
      values.set(name, before === undefined ? value : `${before}, ${value}`);
    }
    const bodyLength = bodyLengthOf(values);
    return bodyLength === "malformed" ? "malformed" : new Fields(values, bodyLength);
  }
}

/** RFC 9110, 5.6.3: blanks and tabs. `trimEnd` would also take the byte 0xA0, which is a part of the value. */
function withoutBlanksBehind(value: string): string {
  let end = value.length;
  while (end > 0 && (value[end - 1] === " " || value[end - 1] === "\t")) end--;
  return value.slice(0, end);
}

/**
 * RFC 9112, 6.3. No endpoint reads a body: one with a length is skipped; with any other the connection ends, as what
 * follows could not be told from it.
 */
function bodyLengthOf(values: ReadonlyMap<string, string>): number | undefined | "malformed" {
  const length = values.get("content-length");
  const coding = values.get("transfer-encoding");
  if (coding !== undefined)
    return length === undefined && /^chunked$/i.test(coding) ? undefined : "malformed";
  if (length === undefined) return 0;
  return /^[0-9]{1,15}$/.test(length) ? Number(length) : "malformed";
}

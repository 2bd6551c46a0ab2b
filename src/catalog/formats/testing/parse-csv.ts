/** A strict parser of RFC 4180: it accepts nothing that the grammar there does not have, but for UTF-8. */

const BYTE_ORDER_MARK = "\ufeff";

/** Returns the rows. Throws at the first character that does not fit. */
export function parseCsv(text: string): string[][] {
  const cell = /"((?:[^"]|"")*)"|([^",\r\n]*)/y;
  const rows: string[][] = [];
  let position = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  while (position < text.length) {
    const row: string[] = [];
    for (;;) {
      cell.lastIndex = position;
      const [whole, quoted, plain] = cell.exec(text)!;
      row.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
      position += whole.length;
      if (text[position] !== ",") break;
      position++;
    }
    if (!text.startsWith("\r\n", position)) {
      throw new Error(`At ${position}: ${JSON.stringify(text.slice(position, position + 20))}`);
    }
    position += 2;
    rows.push(row);
  }
  if (rows.some(({ length }) => length !== rows[0]!.length)) throw new Error("Rows differ in length");
  return rows;
}

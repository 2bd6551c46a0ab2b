/** Returns header fields as lines, each with its CRLF. */
export function headerLines(fields: Readonly<Record<string, string>>): string {
  let lines = "";
  for (const [name, value] of Object.entries(fields)) lines += `${name}: ${value}\r\n`;
  return lines;
}

/** Text inside HTML. */

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control characters, and format characters that could hide text or reverse its direction. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Escapes text for the content of an element or a quoted attribute. Everything from a feed goes through it. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!)
    .replace(UNPRINTABLE, (character) =>
      character === "\n" || character === "\t" ? " " : `\\u{${character.codePointAt(0)!.toString(16)}}`,
    );
}

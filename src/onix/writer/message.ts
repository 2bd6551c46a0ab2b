/** What surrounds the products of an ONIX message. */
import { escapeText } from "../../xml/markup.ts";
import { elementByTag } from "../element-table.ts";
import type { OnixRelease } from "../message-version.ts";

/** Which of its two names each element of a message has. */
export type TagNames = "reference" | "short";

/** Returns a function from the reference name of an element to its tag. An element without a short tag keeps its name. */
export function tagNames(tags: TagNames): (name: string) => string {
  return tags === "reference" ? (name) => name : (name) => elementByTag(name)?.short ?? name;
}

export interface MessageOptions {
  readonly release: OnixRelease;
  readonly sender: string;
  /** SentDateTime: a day or a time, in a form of ONIX. */
  readonly sent: string;
  readonly tags?: TagNames | undefined;
}

/** Returns everything before the first product. */
export function messageStart({ release, sender, sent, tags = "reference" }: MessageOptions): string {
  const name = tagNames(tags);
  return `<?xml version="1.0" encoding="UTF-8"?>
<${name("ONIXMessage")} release="${release}" xmlns="http://ns.editeur.org/onix/${release}/${tags}">
  <${name("Header")}>
    <${name("Sender")}>
      <${name("SenderName")}>${escapeText(sender)}</${name("SenderName")}>
    </${name("Sender")}>
    <${name("SentDateTime")}>${sent}</${name("SentDateTime")}>
  </${name("Header")}>
`;
}

/** Returns a time as SentDateTime has it, in UTC. */
export function sentDateTime(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, "");
}

/** Replaces the products in a message without products. */
export function noProduct(tags: TagNames = "reference"): string {
  return `  <${tagNames(tags)("NoProduct")}/>\n`;
}

export function messageEnd(tags: TagNames = "reference"): string {
  return `</${tagNames(tags)("ONIXMessage")}>\n`;
}

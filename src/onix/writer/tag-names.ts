import { elementByTag } from "../element-table.ts";

/** Which of its two names each element of a message has. */
export type TagNames = "reference" | "short";

/** Returns a function from the reference name of an element to its tag. An element without a short tag keeps its name. */
export function tagNames(tags: TagNames): (name: string) => string {
  return tags === "reference" ? (name) => name : (name) => elementByTag(name)?.short ?? name;
}

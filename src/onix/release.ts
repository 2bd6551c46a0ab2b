/** Which ONIX a message is, from its root element. */

import { printable } from "../feed/feed-error.ts";
import { elementByTag } from "./element-table.ts";

export type Release = "3.0" | "3.1";

export interface Root {
  /** Without its prefix. */
  readonly name: string;
  readonly namespace: string;
  /** The attribute of that name. */
  readonly release: string | undefined;
  /** The text of the DOCTYPE; only looked at to call ONIX 2.1 by its name. */
  readonly doctype: string;
}

export type Message =
  | { readonly release: Release; readonly tags: "reference" | "short" }
  | { readonly refused: string };

/** EDItEUR's are on `ns.`; senders also write `www.`. */
const NAMESPACE = /^https?:\/\/(?:ns|www)\.editeur\.org\/onix\/([0-9.]+)\/(?:reference|short)\/?$/i;
const DOCTYPE_2 = /\/onix\/2\.\d+\/|onix\/DTD\/2|ONIX.*\b2\.[01]\b/i;
const ONLY = "only ONIX 3.0 and 3.1 are read";

export function isOnixNamespace(namespace: string): boolean {
  return NAMESPACE.test(namespace);
}

export function messageOf(root: Root): Message {
  if (elementByTag(root.name)?.name !== "ONIXMessage") return { refused: strangeRoot(root.name) };
  const stated = root.release?.trim() || NAMESPACE.exec(root.namespace)?.[1];
  if (stated === undefined) {
    if (DOCTYPE_2.test(root.doctype.slice(0, 500))) return { refused: `ONIX 2.1 by its DTD: ${ONLY}` };
    return {
      refused: `not taken for ONIX 3: no release attribute and no ONIX namespace, as ONIX 2.1 may be; ${ONLY}`,
    };
  }
  // A revision (3.0.8) is read as its release: revisions only add.
  const release = /^3\.[01](?=$|\.[0-9.]+$)/.exec(stated)?.[0] as Release | undefined;
  if (release === undefined) return { refused: `ONIX ${printable(stated)}: ${ONLY}` };
  return { release, tags: root.name === "ONIXMessage" ? "reference" : "short" };
}

function strangeRoot(name: string): string {
  if (/^x?html$/i.test(name)) return "an HTML page, not ONIX";
  const onix = elementByTag(name);
  if (onix) return `<${onix.name}> without its <ONIXMessage>: not taken for ONIX 3`;
  return `the root element is <${printable(name)}>, not <ONIXMessage>`;
}

/** Detects the ONIX version of a message from its root element. */
import { printable } from "../feed/feed-error.ts";
import { elementByTag } from "./element-table.ts";

export type OnixRelease = "3.0" | "3.1";

export interface MessageVersion {
  readonly release: OnixRelease;
  /** By the root element; the other elements may use either. */
  readonly tags: "reference" | "short";
}

interface RootElement {
  /** Without the prefix. */
  readonly name: string;
  readonly namespace: string;
  /** The value of the attribute `release`. */
  readonly release: string | undefined;
  /** The text of the DOCTYPE. Is only used to recognize ONIX 2.1. */
  readonly doctype: string;
}

/** EDItEUR's namespaces are on `ns.editeur.org`, but some senders write `www.editeur.org`. */
const ONIX_NAMESPACE = /^https?:\/\/(?:ns|www)\.editeur\.org\/onix\/([0-9.]+)\/(?:reference|short)\/?$/i;
const ONIX_2_DOCTYPE = /\/onix\/2\.\d+\/|onix\/DTD\/2|ONIX.*\b2\.[01]\b/i;
const SUPPORTED = "only ONIX 3.0 and 3.1 are supported";

export function isOnixNamespace(namespace: string): boolean {
  return ONIX_NAMESPACE.test(namespace);
}

/** Returns a one-line reason instead when the message is not ONIX 3.0 or 3.1. */
export function detectVersion(root: RootElement): MessageVersion | { readonly error: string } {
  if (elementByTag(root.name)?.name !== "ONIXMessage") return { error: describeOtherRoot(root.name) };
  const stated = root.release?.trim() || ONIX_NAMESPACE.exec(root.namespace)?.[1];
  if (stated === undefined) {
    if (ONIX_2_DOCTYPE.test(root.doctype.slice(0, 500)))
      return { error: `ONIX 2.1 according to its DTD: ${SUPPORTED}` };
    return {
      error: `unknown ONIX version: the root element has no release attribute and no ONIX namespace; ${SUPPORTED}`,
    };
  }
  // A revision such as 3.0.8 only adds to its release, and is read as that release.
  const release = /^3\.[01](?=$|\.[0-9.]+$)/.exec(stated)?.[0] as OnixRelease | undefined;
  if (release === undefined) return { error: `ONIX ${printable(stated)}: ${SUPPORTED}` };
  return { release, tags: root.name === "ONIXMessage" ? "reference" : "short" };
}

function describeOtherRoot(name: string): string {
  if (/^x?html$/i.test(name)) return "an HTML page, not a feed";
  return `the root element is <${printable(name)}>, not <ONIXMessage>`;
}

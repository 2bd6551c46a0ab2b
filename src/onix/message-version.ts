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
  /** The text of the DOCTYPE, which is only used to recognize ONIX 2.1. */
  readonly doctype: string;
}

/** EDItEUR's namespaces are on `ns.editeur.org`, but some senders write `www.editeur.org`. */
const ONIX_NAMESPACE = /^https?:\/\/(?:ns|www)\.editeur\.org\/onix\/([0-9.]+)\/(?:reference|short)\/?$/i;
const ONIX_2_DOCTYPE = /\/onix\/2\.\d+\/|onix\/DTD\/2|ONIX.*\b2\.[01]\b/i;

/** An ONIX message of another version. `describeRefusal` tells its sender. */
export interface UnsupportedVersion {
  /** As in "ONIX 2.1". */
  readonly version: string;
  /** The root element does not say which version it is. */
  readonly isUnknown: boolean;
}

export function isOnixNamespace(namespace: string): boolean {
  return ONIX_NAMESPACE.test(namespace);
}

/** Returns a one-line reason instead when the document is not ONIX. */
export function detectVersion(
  root: RootElement,
): MessageVersion | UnsupportedVersion | { readonly error: string } {
  if (elementByTag(root.name)?.name !== "ONIXMessage") return { error: describeOtherRoot(root.name) };
  const stated = root.release?.trim() || ONIX_NAMESPACE.exec(root.namespace)?.[1];
  if (stated === undefined) {
    const isOnix2 = ONIX_2_DOCTYPE.test(root.doctype.slice(0, 500));
    return { version: "ONIX 2.1 (by its DTD)", isUnknown: !isOnix2 };
  }
  // A revision such as 3.0.8 only adds to its release, and is read as that release.
  const release = /^3\.[01](?=$|\.[0-9.]+$)/.exec(stated)?.[0] as OnixRelease | undefined;
  if (release === undefined) return { version: `ONIX ${printable(stated)}`, isUnknown: false };
  return { release, tags: root.name === "ONIXMessage" ? "reference" : "short" };
}

function describeOtherRoot(name: string): string {
  if (/^x?html$/i.test(name)) return "an HTML page, not a feed";
  return `the root element is <${printable(name)}>, not <ONIXMessage>; ask the sender for a message of ONIX 3.0 or 3.1`;
}

/** The root element of a message, and the namespaces of ONIX: none, that of the root element, and those of EDItEUR. */
import { FeedError } from "../../feed/feed-error.ts";
import { positionOf } from "../../xml/position.ts";
import { decodeAttribute, utf8Text } from "../../xml/references.ts";
import type { DocumentContext, XmlTokenizer } from "../../xml/tokenizer.ts";
import { detectVersion, isOnixNamespace, type MessageVersion } from "../message-version.ts";
import { describeRefusal } from "./refused-message.ts";

/** Returns the version of the message whose root is the current token. @throws {FeedError} when it is not ONIX 3 */
export function readVersion(tokenizer: XmlTokenizer, input: Uint8Array, doctype: string): MessageVersion {
  const { tokenLine, tokenLineStart, tokenStart } = tokenizer;
  const version = detectVersion({
    name: utf8Text(input, tokenizer.nameStart, tokenizer.nameEnd),
    namespace: tokenizer.namespaceUri(tokenizer.namespace),
    release: attributeValue(tokenizer, input, "release"),
    doctype,
  });
  if ("release" in version) return version;
  const { line, column } = positionOf(input, tokenLine, tokenLineStart, tokenStart);
  const reason = "error" in version ? version.error : describeRefusal(version, tokenizer, input);
  throw new FeedError(reason, line, column);
}

function attributeValue(tokenizer: XmlTokenizer, input: Uint8Array, name: string): string | undefined {
  for (let index = 0; index < tokenizer.attributeCount; index++) {
    const start = tokenizer.attributeQualifiedStart[index]!;
    if (utf8Text(input, start, tokenizer.attributeNameEnd[index]!) !== name) continue;
    return decodeAttribute(input, tokenizer.attributeFrom[index]!, tokenizer.attributeTo[index]!);
  }
  return undefined;
}

/** Returns the namespace of a root element that an earlier chunk has. */
export function rootNamespace({ rootName, namespaces }: DocumentContext): string {
  const colon = rootName.indexOf(":");
  const prefix = colon < 0 ? "" : rootName.slice(0, colon);
  return namespaces.find(([declared]) => declared === prefix)?.[1] ?? "";
}

/** Maps an id of the tokenizer to its URI. */
interface NamespaceUris {
  namespaceUri(id: number): string;
}

const UNKNOWN = 0;
const ONIX = 1;
const FOREIGN = 2;

export class OnixNamespaces {
  private rootNamespace = "";
  /** UNKNOWN, ONIX or FOREIGN, by id. */
  private known: number[] = [];

  constructor(private readonly uris: NamespaceUris) {}

  /** Begins a document, or a chunk of it: the ids change. */
  begin(rootNamespace: string): void {
    this.rootNamespace = rootNamespace;
    this.known = [];
  }

  isOnix(id: number): boolean {
    const known = this.known[id] ?? UNKNOWN;
    if (known !== UNKNOWN) return known === ONIX;
    const uri = this.uris.namespaceUri(id);
    const isOnix = uri === "" || uri === this.rootNamespace || isOnixNamespace(uri);
    this.known[id] = isOnix ? ONIX : FOREIGN;
    return isOnix;
  }
}

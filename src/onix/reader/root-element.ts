/** The root element of a message, and the namespaces of ONIX: none, that of the root element, and those of EDItEUR. */
import { FeedError, printable } from "../../feed/feed-error.ts";
import { positionOf } from "../../xml/position.ts";
import { decodeAttribute, decodeText, utf8Text } from "../../xml/references.ts";
import {
  type DocumentContext,
  END_OF_INPUT,
  incomplete,
  START_TAG,
  TEXT,
  type XmlTokenizer,
} from "../../xml/tokenizer.ts";
import {
  detectVersion,
  isOnixNamespace,
  type MessageVersion,
  type UnsupportedVersion,
} from "../message-version.ts";

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

/** Elements of the header that name the sender, in ONIX 2 (FromCompany) and ONIX 3, by reference name and short tag. */
const SENDER_NAMES: ReadonlySet<string> = new Set(["FromCompany", "m174", "SenderName", "x298"]);
/** Elements of the header that only ONIX 2 has: FromEANNumber, FromSAN, FromCompany, FromPerson, FromEmail. */
const ONIX_2_ELEMENTS =
  /^(?:FromEANNumber|FromSAN|FromCompany|FromPerson|FromEmail|m172|m173|m174|m175|m283)$/;
/** The header ends with its end tag, or where the first product begins. */
const PRODUCT = /^product$/i;
/** A header is short. */
const MAX_TOKENS = 1000;

interface SentHeader {
  readonly sender: string | undefined;
  readonly isOnix2: boolean;
}

/** Returns one sentence. The tokenizer has just read the root element, and is read on to the end of the header. */
function describeRefusal(
  { version, isUnknown }: UnsupportedVersion,
  tokenizer: XmlTokenizer,
  input: Uint8Array,
): string {
  const { sender, isOnix2 } = readHeader(tokenizer, input);
  const from = sender === undefined ? "" : ` from ${sender}`;
  const asked = sender ?? "the sender";
  if (isUnknown && !isOnix2) {
    return `unknown ONIX version${from}: the root element has no release attribute and no ONIX namespace; ask ${asked} to state release 3.0 or 3.1`;
  }
  const name = isUnknown ? "ONIX 2.1 according to its header" : version;
  return `${name}${from}: only ONIX 3.0 and 3.1 are supported; ask ${asked} for ONIX 3.0 or 3.1`;
}

/** Reads what there is: the message may be broken, or end inside the header. */
function readHeader(tokenizer: XmlTokenizer, input: Uint8Array): SentHeader {
  const header = { sender: undefined as string | undefined, isOnix2: false };
  try {
    let name = "";
    for (let count = 0; count < MAX_TOKENS && header.sender === undefined; count++) {
      const token = tokenizer.next();
      if (token === END_OF_INPUT) break;
      if (token === START_TAG) {
        name = utf8Text(input, tokenizer.nameStart, tokenizer.nameEnd);
        if (PRODUCT.test(name)) break;
        if (ONIX_2_ELEMENTS.test(name)) header.isOnix2 = true;
      } else if (token === TEXT && SENDER_NAMES.has(name)) {
        const { textStart, textEnd, isCdata } = tokenizer;
        const text = printable(decodeText(input, textStart, textEnd, isCdata)).trim();
        if (text !== "") header.sender = text;
      }
    }
  } catch (error) {
    if (error !== incomplete && !(error instanceof FeedError)) throw error;
  }
  return header;
}

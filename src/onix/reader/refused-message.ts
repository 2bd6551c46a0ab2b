/** Explains why a message is refused: its version, its sender, and what to ask the sender for. */
import { FeedError, printable } from "../../feed/feed-error.ts";
import { decodeText, utf8Text } from "../../xml/references.ts";
import { END_OF_INPUT, incomplete, START_TAG, TEXT, type XmlTokenizer } from "../../xml/tokenizer.ts";
import type { UnsupportedVersion } from "../message-version.ts";

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
export function describeRefusal(
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

/** Reads the Header of a message from its tree. */
import { isCode } from "../code-lists.ts";
import type { Complaint } from "../complaint.ts";
import { codeListsOf, describeUnknownCode, elementNumber } from "../element-numbers.ts";
import type { HeaderDefaults, MessageHeader, Sender } from "../message-header.ts";
import type { MessageVersion } from "../message-version.ts";
import { TreeComplaints } from "../record/value-writer.ts";
import type { ElementTree } from "./element-tree.ts";
import { childText, findChild } from "./product-facts.ts";

const SENDER = elementNumber("Sender");
const SENDER_IDENTIFIER = elementNumber("SenderIdentifier");
const SENDER_ID_TYPE = elementNumber("SenderIDType");
const ID_TYPE_NAME = elementNumber("IDTypeName");
const ID_VALUE = elementNumber("IDValue");
/** SenderIDType, list 44. */
const PROPRIETARY = "01";
const SENDER_NAME = elementNumber("SenderName");
const SENT = elementNumber("SentDateTime");
const MESSAGE_NUMBER = elementNumber("MessageNumber");
const DEFAULT_LANGUAGE = elementNumber("DefaultLanguageOfText");
const DEFAULT_PRICE_TYPE = elementNumber("DefaultPriceType");
const DEFAULT_CURRENCY = elementNumber("DefaultCurrencyCode");

/** Returns the header of a message that has none before its first product. */
export function emptyHeader(version: MessageVersion): MessageHeader {
  return { ...version, sender: undefined, sent: undefined, messageNumber: undefined, defaults: {} };
}

export function readHeader(tree: ElementTree, version: MessageVersion): MessageHeader {
  return {
    ...version,
    sender: readSender(tree),
    sent: childText(tree, 0, SENT) || undefined,
    messageNumber: childText(tree, 0, MESSAGE_NUMBER) || undefined,
    defaults: readDefaults(tree),
  };
}

function readSender(tree: ElementTree): Sender | undefined {
  const sender = findChild(tree, 0, SENDER);
  if (sender < 0) return undefined;
  const name = childText(tree, sender, SENDER_NAME);
  const identifiers: SenderIdentifier[] = [];
  for (let child = sender + 1; child < tree.next[sender]!; child = tree.next[child]!) {
    if (tree.kind[child] === SENDER_IDENTIFIER) identifiers.push(readIdentifier(tree, child));
  }
  const sent = identifiers.filter(({ value }) => value !== "");
  const key = senderKey(sent, name);
  return key === "" ? undefined : { key, name: name || sent[0]!.value };
}

interface SenderIdentifier {
  readonly type: string;
  readonly typeName: string;
  readonly value: string;
}

function readIdentifier(tree: ElementTree, node: number): SenderIdentifier {
  return {
    type: childText(tree, node, SENDER_ID_TYPE),
    typeName: childText(tree, node, ID_TYPE_NAME),
    value: childText(tree, node, ID_VALUE),
  };
}

/**
 * Identifies a sender, whatever the order of its identifiers. A proprietary identifier (list 44, 01) means nothing
 * without the name of its scheme and that of the sender.
 */
function senderKey(identifiers: readonly SenderIdentifier[], name: string): string {
  const registered = identifiers
    .filter(({ type }) => type !== "" && type !== PROPRIETARY)
    .map(({ type, value }) => `${type}:${value.replace(/[\s-]/g, "")}`);
  if (registered.length > 0) return registered.sort()[0]!;
  const [own] = identifiers;
  if (own) return `${PROPRIETARY}:${own.typeName}:${own.value}:${name}`;
  return name === "" ? "" : `name:${name}`;
}

function readDefaults(tree: ElementTree): HeaderDefaults {
  const language = childText(tree, 0, DEFAULT_LANGUAGE);
  const priceType = childText(tree, 0, DEFAULT_PRICE_TYPE);
  const currency = childText(tree, 0, DEFAULT_CURRENCY);
  return {
    ...(language && { language }),
    ...(priceType && { priceType }),
    ...(currency && { currency }),
  };
}

/** Returns complaints about unknown codes of the defaults: records carry them as if their products had sent them. */
export function unknownDefaults(tree: ElementTree): readonly Complaint[] {
  const found = new TreeComplaints();
  for (const element of [DEFAULT_LANGUAGE, DEFAULT_PRICE_TYPE, DEFAULT_CURRENCY]) {
    const code = childText(tree, 0, element);
    if (code === "" || codeListsOf(element).some((list) => isCode(list, code))) continue;
    found.add(tree, findChild(tree, 0, element), "unknown-code", describeUnknownCode(element, code), {
      value: code,
    });
  }
  return found.complaints;
}

/** Reads the Header of a message from its tree. */
import { elementNumber } from "../element-numbers.ts";
import type { HeaderDefaults, MessageHeader, Sender } from "../message-header.ts";
import type { MessageVersion } from "../message-version.ts";
import type { ElementTree } from "./element-tree.ts";
import { childText, findChild } from "./product-facts.ts";

const SENDER = elementNumber("Sender");
const SENDER_IDENTIFIER = elementNumber("SenderIdentifier");
const SENDER_ID_TYPE = elementNumber("SenderIDType");
const ID_VALUE = elementNumber("IDValue");
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
  const identifier = findChild(tree, sender, SENDER_IDENTIFIER);
  const value = identifier < 0 ? "" : childText(tree, identifier, ID_VALUE);
  const name = childText(tree, sender, SENDER_NAME);
  const key = value === "" ? name : `${childText(tree, identifier, SENDER_ID_TYPE)}:${value}`;
  return key === "" ? undefined : { key, name: name || value };
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

/** What the Header of a message says about all of its products. */
import type { MessageVersion } from "./message-version.ts";

export interface MessageHeader extends MessageVersion {
  /** Undefined when the message names no sender. */
  readonly sender: Sender | undefined;
  /** SentDateTime, as written. */
  readonly sent: string | undefined;
  /** MessageNumber, as written. */
  readonly messageNumber: string | undefined;
  readonly defaults: HeaderDefaults;
}

/** A sender of feeds. References of different senders are independent of each other. */
export interface Sender {
  /** Identifies the sender: a SenderIdentifier as `type:value` or, without one, the SenderName as `name:…`. */
  readonly key: string;
  /** SenderName or, without one, the value of the first SenderIdentifier. */
  readonly name: string;
}

/** Values that hold for each product of the message that is silent about them. Empty values are omitted. */
export interface HeaderDefaults {
  /** DefaultLanguageOfText: a Language of role 01. */
  readonly language?: string;
  /** DefaultPriceType: for each Price with an amount. */
  readonly priceType?: string;
  /** DefaultCurrencyCode: for each Price with an amount. */
  readonly currency?: string;
}

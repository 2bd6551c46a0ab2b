/** Generates feeds with mutations: of characters, of bytes, of the encoding and of the container. */
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { zipSync } from "fflate";
import { identifier, message, product } from "../../src/onix/testing/message.ts";

/** Feeds to mutate: every notification type, most kinds of text, reference names and short tags. */
const BASE_FEEDS = [
  message(
    product({ isbn: "9788437604947", text: '<Text textformat="05"><p>One &amp; <em>two</em></p></Text>' }),
    product({ isbn: "9780199632091", languages: ["spa", "cat"], publisher: "P &lt; Q", detail: "<Foo/>" }),
    product({ isbn: "9791034567898", title: "<![CDATA[ <b>é</b> 中 😀 ]]>", date: "202402" }),
  ),
  message(
    product({ isbn: "9788437604947", notification: "04", blocks: "<CollateralDetail/>" }),
    product({ isbn: "9780199632091", notification: "05", blocks: "" }),
    product({ isbn: "9789999901116", identifiers: identifier("02", "843760494X") }),
  ),
  message(
    product({
      text: "<Text>&nbsp;&eacute;&#233;&#x1F600;</Text>",
      detail: "<Subject><MainSubject/><SubjectSchemeIdentifier>93</SubjectSchemeIdentifier></Subject>",
    }),
  ),
  `<?xml version="1.0"?><ONIXmessage release="3.0"><header/><product><a001>r</a001><a002>03</a002>
   <productidentifier><b221>15</b221><b244>9788437604947</b244></productidentifier></product></ONIXmessage>`,
  message(),
];

/** Texts that are invalid in XML or ONIX, or that readers often handle wrongly. */
const INSERTIONS = [
  ..."<>&;\"'=/!?[]\r\n\t\0\x01\x7f",
  "&amp;",
  "&#0;",
  "&#xD800;",
  "&#99999999999;",
  "&foo;",
  "<!--",
  "-->",
  "<![CDATA[",
  "]]>",
  "<?xml version='1.1'?>",
  "<?x?>",
  "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>",
  "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]>",
  "&e;",
  "&b;",
  "<Product>",
  "</Product>",
  "</ONIXMessage>",
  "<NoProduct/>",
  " xmlns=''",
  " xmlns:o='http://ns.editeur.org/onix/3.0/reference'",
  "<o:Product/>",
  " release='2.1'",
  " textformat='05'",
  "<p>",
  "<DescriptiveDetail/>",
  "<ProductIdentifier/>",
  "<NotificationType>05</NotificationType>",
  "<DeletionText>x</DeletionText>",
  "\uFEFF",
  "\uFFFE",
  "é",
  "x".repeat(5000),
  "<a>".repeat(120),
  `<a ${Array.from({ length: 120 }, (_, index) => `a${index}=''`).join(" ")}/>`,
];

/** One change of the bytes. Offset and size are fractions, so that they fit every feed. */
interface Mutation {
  readonly kind: "insert" | "remove" | "flip" | "repeat" | "swap" | "truncate";
  readonly offset: number;
  readonly size: number;
  readonly insertion: string;
  readonly bit: number;
}

interface MutatedFeed {
  readonly base: number;
  readonly mutations: readonly Mutation[];
  readonly encoding: "" | "utf16le" | "latin1" | "bom";
  readonly container: "plain" | "gzip" | "zip" | "gzip, then mutated" | "zip, then mutated";
}

const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom("insert", "insert", "insert", "remove", "flip", "repeat", "swap", "truncate"),
  offset: fraction,
  size: fc.oneof(
    fraction.map((size) => size / 50),
    fraction,
  ),
  insertion: fc.constantFrom(...INSERTIONS),
  bit: fc.nat(7),
});

export const mutatedFeeds: fc.Arbitrary<MutatedFeed> = fc.record({
  base: fc.nat(BASE_FEEDS.length - 1),
  mutations: fc.oneof(
    { weight: 3, arbitrary: fc.array(mutation, { maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(mutation, { maxLength: 4 }) },
  ),
  encoding: fc.oneof(
    { weight: 6, arbitrary: fc.constant("" as const) },
    { weight: 1, arbitrary: fc.constantFrom("utf16le", "latin1", "bom") },
  ),
  container: fc.oneof(
    { weight: 4, arbitrary: fc.constant("plain" as const) },
    { weight: 1, arbitrary: fc.constantFrom("gzip", "zip", "gzip, then mutated", "zip, then mutated") },
  ),
});

export function bytesOf({ base, mutations, encoding, container }: MutatedFeed): Buffer {
  const feed = encode(BASE_FEEDS[base]!, encoding);
  if (container.endsWith("mutated")) return mutate(pack(feed, container), mutations);
  return pack(mutate(feed, mutations), container);
}

function encode(text: string, encoding: MutatedFeed["encoding"]): Buffer {
  if (encoding === "utf16le") return Buffer.from(`\uFEFF${text.replace("UTF-8", "UTF-16")}`, "utf16le");
  if (encoding === "latin1") return Buffer.from(text.replace("UTF-8", "ISO-8859-1"), "latin1");
  return Buffer.from(encoding === "bom" ? `\uFEFF${text}` : text);
}

function pack(feed: Buffer, container: MutatedFeed["container"]): Buffer {
  if (container.startsWith("gzip")) return gzipSync(feed);
  if (container.startsWith("zip")) return Buffer.from(zipSync({ "feed.xml": feed }));
  return feed;
}

function mutate(feed: Buffer, mutations: readonly Mutation[]): Buffer {
  return mutations.reduce(applyMutation, feed);
}

function applyMutation(feed: Buffer, { kind, offset, size, insertion, bit }: Mutation): Buffer {
  const from = Math.floor(offset * feed.length);
  const to = Math.min(feed.length, from + Math.ceil(size * feed.length));
  const [head, middle, tail] = [feed.subarray(0, from), feed.subarray(from, to), feed.subarray(to)];
  switch (kind) {
    case "insert":
      return Buffer.concat([head, Buffer.from(insertion), middle, tail]);
    case "remove":
      return Buffer.concat([head, tail]);
    case "repeat":
      return Buffer.concat([head, middle, middle, tail]);
    case "swap":
      return Buffer.concat([tail, middle, head]);
    case "truncate":
      return Buffer.from(head);
    case "flip": {
      const copy = Buffer.from(feed);
      if (from < copy.length) copy[from]! ^= 1 << bit;
      return copy;
    }
  }
}

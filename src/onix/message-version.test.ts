import { describe, expect, test } from "bun:test";
import { scanMessage } from "./testing/scan-message.ts";

describe("the release of the header", () => {
  const releaseOf = async (attributes: string, name = "ONIXMessage") =>
    (await scanMessage(`<${name}${attributes}/>`)).header.release;
  test.each([
    [' release="3.0"', "3.0"],
    [' release="3.1"', "3.1"],
    [' release=" 3.0 "', "3.0"],
    [' release="3.0.08"', "3.0"],
    [' release="3.1.2"', "3.1"],
    [' xmlns="http://ns.editeur.org/onix/3.0/reference"', "3.0"],
    [' xmlns="http://ns.editeur.org/onix/3.1/short"', "3.1"],
    [' xmlns="http://www.editeur.org/onix/3.1/reference"', "3.1"],
    [' release="3.1" xmlns="http://ns.editeur.org/onix/3.0/reference"', "3.1"],
    [' release="" xmlns="http://ns.editeur.org/onix/3.0/reference"', "3.0"],
    [' release="3.0" xmlns="urn:of-the-sender"', "3.0"],
  ])("of <ONIXMessage%s> is %s", async (attributes, release) => {
    expect(await releaseOf(attributes)).toBe(release as "3.0");
    expect(await releaseOf(attributes, "ONIXmessage")).toBe(release as "3.0");
  });
});

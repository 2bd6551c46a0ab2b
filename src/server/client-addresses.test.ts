import { describe, expect, test } from "bun:test";
import { ClientAddresses, parseAddressRanges } from "./client-addresses.ts";

const PROXIES = ["10.0.0.0/8", "fd00::/8", "127.0.0.1"];

describe("forwardedClient", () => {
  const addresses = new ClientAddresses({ maxPerAddress: 1, trustedProxies: PROXIES });
  test.each([
    [null, "10.0.0.1"],
    ["", "10.0.0.1"],
    ["192.0.2.1", "192.0.2.1"],
    ["192.0.2.1, 10.0.0.2", "192.0.2.1"],
    ["198.51.100.7, 192.0.2.1", "192.0.2.1"],
    ["198.51.100.7,192.0.2.1,10.0.0.2, fd00::1", "192.0.2.1"],
    ["nonsense, 10.0.0.2", "10.0.0.2"],
    ["192.0.2.1, nonsense", "10.0.0.1"],
    ["192.0.2.1:5000", "192.0.2.1"],
    ["[2001:db8::1]:5000", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["10.0.0.3", "10.0.0.3"],
  ])("of %j is %s", (forwardedFor, client) => {
    expect(addresses.forwardedClient("10.0.0.1", forwardedFor)).toBe(client);
  });
});

test("forwardedClient reads only the end of a long header", () => {
  const addresses = new ClientAddresses({ maxPerAddress: 1, trustedProxies: PROXIES });
  const forwardedFor = `192.0.2.1${", 10.0.0.2".repeat(1000)}`;
  expect(addresses.forwardedClient("10.0.0.1", forwardedFor)).toBe("10.0.0.2");
});

test("isTrustedProxy is false without trusted proxies, and for other addresses", () => {
  expect(new ClientAddresses({ maxPerAddress: 1 }).isTrustedProxy("127.0.0.1")).toBe(false);
  const addresses = new ClientAddresses({ maxPerAddress: 1, trustedProxies: PROXIES });
  const trusted = ["127.0.0.1", "10.255.0.1", "fd12::1", "127.0.0.2", "11.0.0.1", "::1", "", "x"];
  expect(trusted.filter((address) => addresses.isTrustedProxy(address))).toEqual([
    "127.0.0.1",
    "10.255.0.1",
    "fd12::1",
  ]);
});

test("enter counts up to the limit, and leave gives back", () => {
  const addresses = new ClientAddresses({ maxPerAddress: 2 });
  const enter = () => addresses.enter("192.0.2.1");
  expect([enter(), enter(), enter(), addresses.enter("192.0.2.2")]).toEqual([true, true, false, true]);
  addresses.leave("192.0.2.1");
  expect([enter(), enter()]).toEqual([true, false]);
});

test("enter counts the addresses of one IPv6 network together", () => {
  const addresses = new ClientAddresses({ maxPerAddress: 1 });
  expect(addresses.enter("2001:db8:0:1::1")).toBe(true);
  for (const address of ["2001:0db8::1:a:b:c:d", "2001:DB8:0:1:ffff::", "2001:db8:0:1:0:0:0:9%eth0"]) {
    expect([address, addresses.enter(address)]).toEqual([address, false]);
  }
  expect(addresses.enter("2001:db8:0:2::1")).toBe(true);
  expect([addresses.enter("::1"), addresses.enter("::2")]).toEqual([true, false]);
});

test("parseAddressRanges names what is no address", () => {
  for (const text of ["", "proxy", "10.0.0.0/33", "10.0.0.0/", "fd00::/129", "10.0.0.1/8/8", "10.0.0"]) {
    expect(() => parseAddressRanges(["10.0.0.1", text])).toThrow(`"${text}"`);
  }
});

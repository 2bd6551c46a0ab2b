/** Which client a request comes from, also behind proxies, and how many connections or requests each client may have. */
import { BlockList, isIP } from "node:net";
import { MAX_FORWARDED_CHARS } from "./limits.ts";

interface ClientAddressesOptions {
  /** The connections of one address. Behind a trusted proxy: its requests in flight. */
  readonly maxPerAddress: number;
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[] | undefined;
}

export class ClientAddresses {
  readonly #maxPerAddress: number;
  readonly #trusted: BlockList | undefined;
  readonly #counts = new Map<string, number>();

  constructor({ maxPerAddress, trustedProxies = [] }: ClientAddressesOptions) {
    this.#maxPerAddress = maxPerAddress;
    this.#trusted = trustedProxies.length > 0 ? parseAddressRanges(trustedProxies) : undefined;
  }

  isTrustedProxy(address: string): boolean {
    const family = this.#trusted && isIP(address);
    return family ? this.#trusted!.check(address, family === 6 ? "ipv6" : "ipv4") : false;
  }

  /**
   * Returns the client that a trusted proxy names: the last address of `X-Forwarded-For` that is not a proxy itself. A
   * client can send the header too, so what stands before that address is not believed.
   */
  forwardedClient(proxy: string, forwardedFor: string | null): string {
    const entries = forwardedFor === null ? [] : forwardedFor.slice(-MAX_FORWARDED_CHARS).split(",");
    let client = proxy;
    for (const entry of entries.reverse()) {
      const address = addressOf(entry.trim());
      if (address === undefined) break;
      client = address;
      if (!this.isTrustedProxy(address)) break;
    }
    return client;
  }

  /** Counts a connection or a request. Returns false, and counts nothing, when the address has as many as it may. */
  enter(address: string): boolean {
    const key = networkOf(address);
    const count = this.#counts.get(key) ?? 0;
    if (count >= this.#maxPerAddress) return false;
    this.#counts.set(key, count + 1);
    return true;
  }

  leave(address: string): void {
    const key = networkOf(address);
    const count = this.#counts.get(key) ?? 0;
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
  }
}

/** Throws a RangeError that names the text which is neither an address nor a range. */
export function parseAddressRanges(texts: readonly string[]): BlockList {
  const ranges = new BlockList();
  for (const text of texts) {
    const [address = "", bits, ...more] = text.split("/");
    const version = isIP(address);
    const width = version === 6 ? 128 : 32;
    const isRange = bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= width);
    if (version === 0 || !isRange || more.length > 0) {
      throw new RangeError(`"${text}" is neither an IP address nor a range such as 10.0.0.0/8`);
    }
    const family = version === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) ranges.addAddress(address, family);
    else ranges.addSubnet(address, Number(bits), family);
  }
  return ranges;
}

/** An entry of `X-Forwarded-For` may have a port: `192.0.2.1:80`, `[2001:db8::1]:80`. */
function addressOf(entry: string): string | undefined {
  const address = /^\[(.*)\](?::[0-9]+)?$/.exec(entry)?.[1] ?? entry.replace(/^([0-9.]+):[0-9]+$/, "$1");
  return isIP(address) === 0 ? undefined : unmapped(address);
}

/** RFC 4291 §2.5.5.2: an IPv4 address within IPv6. */
export function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=[0-9]+\.)/i, "");
}

/** A host chooses among 2^64 addresses of its IPv6 network (RFC 4291 §2.5.1), so the network counts. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("%", 1)[0]!.split("::");
  const groups = head === "" ? [] : head.split(":");
  const zeros = tail === undefined ? 0 : 8 - groups.length - (tail === "" ? 0 : tail.split(":").length);
  const all = [...groups, ...Array<string>(Math.max(0, zeros)).fill("0"), ...(tail ? tail.split(":") : [])];
  return all
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":");
}

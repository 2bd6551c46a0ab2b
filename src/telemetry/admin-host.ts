/**
 * The names by which the admin port may be addressed. It has no tokens, so a page in a browser of this machine must not
 * read it by DNS rebinding: the page's own name then leads here, and the browser takes the response for the page's own.
 * Such a request differs from others only in its Host: browsers send neither Origin nor Sec-Fetch-Site with it.
 */
import { isIP } from "node:net";
import { hostname } from "node:os";

/**
 * Names that nobody can register: RFC 6761 (localhost, test), RFC 6762 (local, also of Kubernetes' cluster.local),
 * internal (ICANN, 2024), home.arpa (RFC 8375), and svc of Kubernetes, which is no top-level domain.
 */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|test|local|internal|home\.arpa|svc)$/;

const HOST = /^(?:\[([^\]]*)\]|([^:]*))(?::[0-9]*)?$/;

export class AdminHosts {
  readonly #names: ReadonlySet<string>;

  /** `names` are accepted beside addresses, the name of this machine, and names that nobody can register. */
  constructor(names: readonly string[]) {
    this.#names = new Set([...names, hostname()].map(normalise));
  }

  /** Takes the value of the header. A probe of HTTP/1.0 may have none; a browser always sends one. */
  accepts(host: string | null): boolean {
    if (host === null || host === "") return true;
    const parts = HOST.exec(host);
    if (!parts) return false;
    const [, ipv6, name = ""] = parts;
    if (ipv6 !== undefined) return isIP(ipv6) === 6;
    const normalised = normalise(name);
    // A name without a dot is one of this network: no top-level domain has an address of its own.
    const isLocal = isIP(name) === 4 || !normalised.includes(".") || PRIVATE_NAME.test(normalised);
    return isLocal || this.#names.has(normalised);
  }
}

/** Names are case-insensitive, and a dot at the end changes nothing (RFC 1034 §3.1). */
function normalise(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

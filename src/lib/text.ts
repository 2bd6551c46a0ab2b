/** Returns the URL of a server without a slash at its end. An IPv6 address is put in brackets (RFC 3986 §3.2.2). */
export function httpUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * Copies a string of latin1 characters that outlives its request. A substring keeps the whole string alive: 64 kB of
 * request head behind a path of 20 characters.
 */
export function detachString(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}

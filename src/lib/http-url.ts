/** Returns the URL of a server without a slash at its end. An IPv6 address is put in brackets (RFC 3986 §3.2.2). */
export function httpUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

const encoder = new TextEncoder();

export function encodeJson(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}

/** Returns the same bytes as a Buffer, which searches, compares and decodes them. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Compares texts as all engines do: by code points, which is the order of their bytes in UTF-8. */
export function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Joins names as in "A, B or C". */
export function joinNames(names: readonly string[], conjunction: string): string {
  return names.length < 2
    ? (names[0] ?? "")
    : `${names.slice(0, -1).join(", ")} ${conjunction} ${names.at(-1)}`;
}

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

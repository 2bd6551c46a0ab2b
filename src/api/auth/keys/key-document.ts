/** Brings the text that COLOPHON_JWT_KEYS names: from a file, or from an https address. */
import { open } from "node:fs/promises";
import { errorCode, KeyError } from "../errors.ts";

/** The part of `fetch` that is needed: whoever has an authority of their own gives one that knows it. */
export type Fetch = (address: string, options: RequestInit) => Promise<Response>;

/** Key sets have a few kB; nothing else is to fill the memory. */
const MOST_BYTES = 1_000_000;
/** Requests wait for it. */
const PATIENCE_MS = 5_000;

export async function readKeyFile(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const buffer = Buffer.alloc(MOST_BYTES + 1);
      let length = 0;
      for (let read = -1; read !== 0 && length < buffer.length; length += read) {
        read = (await file.read(buffer, length, buffer.length - length, null)).bytesRead;
      }
      if (length > MOST_BYTES)
        throw new KeyError(`the file ${path} of COLOPHON_JWT_KEYS is larger than 1 MB`);
      return buffer.toString("utf8", 0, length);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof KeyError) throw error;
    throw new KeyError(`the file ${path} of COLOPHON_JWT_KEYS cannot be read (${errorCode(error)})`);
  }
}

/** What messages call an address: without the password or the query that may stand in it. */
export function describeKeysUrl(address: URL): string {
  return `the address ${address.origin}${address.pathname} of COLOPHON_JWT_KEYS`;
}

export async function fetchKeys(address: URL, fetch: Fetch): Promise<string> {
  const called = describeKeysUrl(address);
  try {
    const response = await fetch(address.href, {
      // Followed, it could lead from https to http.
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        accept: "application/jwk-set+json, application/json, application/x-pem-file;q=0.9, */*;q=0.1",
      },
    });
    if (response.status >= 300 && response.status < 400) {
      throw new KeyError(`${called} redirects: set the address that it leads to`);
    }
    if (response.status !== 200) throw new KeyError(`${called} answers ${response.status} instead of 200`);
    return await boundedText(response, called);
  } catch (error) {
    if (error instanceof KeyError) throw error;
    throw new KeyError(`${called} cannot be reached (${errorCode(error)})`);
  }
}

async function boundedText(response: Response, called: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > MOST_BYTES) throw new KeyError(`${called} answers with more than 1 MB`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

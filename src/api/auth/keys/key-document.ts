/** Reads the key document that COLOPHON_JWT_KEYS names, from a file or from an https URL. */
import { open } from "node:fs/promises";
import { errorCode, KeyError } from "../errors.ts";

/** The part of `fetch` that is used here. Tests pass one that trusts their own certificate authority. */
export type Fetch = (url: string, options: RequestInit) => Promise<Response>;

/** Key sets have a few kB. The limit keeps a wrong file or URL from filling the memory. */
const MAX_DOCUMENT_BYTES = 1_000_000;
/** Requests wait for the document when it is fetched for an unknown `kid`. */
const FETCH_TIMEOUT_MS = 5_000;

/** Names a key file in messages. */
export function describeKeyFile(path: string): string {
  return `the file ${path} of COLOPHON_JWT_KEYS`;
}

/** Names a URL in messages, without the password and the query, which may be secret. */
export function describeKeyUrl(url: URL): string {
  return `the URL ${url.origin}${url.pathname} of COLOPHON_JWT_KEYS`;
}

export async function readKeyFile(path: string): Promise<string> {
  const source = describeKeyFile(path);
  try {
    const file = await open(path, "r");
    try {
      const buffer = Buffer.alloc(MAX_DOCUMENT_BYTES + 1);
      let length = 0;
      for (let read = -1; read !== 0 && length < buffer.length; length += read) {
        read = (await file.read(buffer, length, buffer.length - length, null)).bytesRead;
      }
      if (length > MAX_DOCUMENT_BYTES) throw new KeyError(`${source} is larger than 1 MB`);
      return buffer.toString("utf8", 0, length);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof KeyError) throw error;
    throw new KeyError(`${source} cannot be read (${errorCode(error)})`);
  }
}

export async function fetchKeyDocument(url: URL, fetch: Fetch): Promise<string> {
  const source = describeKeyUrl(url);
  try {
    const response = await fetch(url.href, {
      // A redirect could lead from https to http.
      redirect: "manual",
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      headers: {
        accept: "application/jwk-set+json, application/json, application/x-pem-file;q=0.9, */*;q=0.1",
      },
    });
    if (response.status >= 300 && response.status < 400) {
      throw new KeyError(`${source} redirects: set the URL that it redirects to`);
    }
    if (response.status !== 200) {
      throw new KeyError(`${source} responds with ${response.status} instead of 200`);
    }
    return await readBoundedText(response, source);
  } catch (error) {
    if (error instanceof KeyError) throw error;
    throw new KeyError(`${source} cannot be reached (${errorCode(error)})`);
  }
}

async function readBoundedText(response: Response, source: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_DOCUMENT_BYTES) throw new KeyError(`${source} responds with more than 1 MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

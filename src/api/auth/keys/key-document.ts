/** Reads the key document that COLOPHON_JWT_KEYS names, from a file or from an https URL. */
import { closeSync, readSync } from "node:fs";
import { refreshIntervalMs } from "./key-clock.ts";
import { errorCode, KeyError } from "./key-source.ts";
import { openProtectedFile } from "./protected-file.ts";

/** The part of `fetch` that is used here. Tests pass one that trusts their own certificate authority. */
export type Fetch = (url: string, options: RequestInit) => Promise<Response>;

/** Key sets have a few kB. The limit keeps a wrong file or URL from filling the memory. */
const MAX_DOCUMENT_BYTES = 1_000_000;
/** Requests wait for the document when it is fetched for an unknown `kid`. */
const FETCH_TIMEOUT_MS = 5_000;

/** The value of COLOPHON_JWT_KEYS: a URL, or else the path of a file. */
export interface KeyLocation {
  readonly url: URL | undefined;
  readonly path: string;
  /** Names it in messages, without the password and the query of a URL, which may be secret. */
  readonly description: string;
}

export interface KeyDocument {
  readonly text: string;
  /** Infinite for a file. */
  readonly refreshAfterMs: number;
}

/** A URL has a scheme and two slashes. */
export function parseKeyLocation(fileOrUrl: string): KeyLocation {
  if (fileOrUrl === "") {
    throw new KeyError("COLOPHON_JWT_KEYS is empty: unset it, or set it to a file or https URL");
  }
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(fileOrUrl)) {
    return { url: undefined, path: fileOrUrl, description: `the file ${fileOrUrl} of COLOPHON_JWT_KEYS` };
  }
  if (!URL.canParse(fileOrUrl)) {
    throw new KeyError("COLOPHON_JWT_KEYS is not a valid URL: set it to a file or https URL");
  }
  const url = new URL(fileOrUrl);
  // Without TLS, an attacker on the network could replace the keys and then sign tokens.
  if (url.protocol !== "https:") {
    throw new KeyError(`COLOPHON_JWT_KEYS begins with ${url.protocol}// and must be a file or an https URL`);
  }
  return { url, path: "", description: `the URL ${url.origin}${url.pathname} of COLOPHON_JWT_KEYS` };
}

/** Rejects with `KeyError`, whose message is for the operator. */
export function readKeyDocument(location: KeyLocation, fetch: Fetch): Promise<KeyDocument> {
  const { url, path, description } = location;
  return url ? fetchKeyDocument(url, description, fetch) : readKeyFile(path, description);
}

async function readKeyFile(path: string, source: string): Promise<KeyDocument> {
  try {
    const file = openProtectedFile(path, { source, isSecret: false });
    try {
      const buffer = Buffer.alloc(MAX_DOCUMENT_BYTES + 1);
      let length = 0;
      for (let read = -1; read !== 0 && length < buffer.length; length += read) {
        read = readSync(file, buffer, length, buffer.length - length, null);
      }
      if (length > MAX_DOCUMENT_BYTES) throw new KeyError(`${source} is larger than 1 MB`);
      return { text: buffer.toString("utf8", 0, length), refreshAfterMs: Number.POSITIVE_INFINITY };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof KeyError) throw error;
    throw new KeyError(
      `${source} cannot be read (${errorCode(error)}): correct the path, or give access to the file`,
    );
  }
}

async function fetchKeyDocument(url: URL, source: string, fetch: Fetch): Promise<KeyDocument> {
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
      throw new KeyError(
        `${source} responds with ${response.status} instead of 200: correct the URL, or see the log of its server`,
      );
    }
    const text = await readBoundedText(response, source);
    return { text, refreshAfterMs: refreshIntervalMs(response.headers) };
  } catch (error) {
    if (error instanceof KeyError) throw error;
    throw new KeyError(
      `${source} cannot be reached (${errorCode(error)}): correct the URL, or see why its server does not respond`,
    );
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

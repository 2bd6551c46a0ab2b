/** The errors of the client. */

/** The body of an error response (RFC 9457), as Colophon sends it. */
export interface Problem {
  readonly title?: string;
  readonly status?: number;
  /** The message of the specification, such as `Book not found`. */
  readonly message?: string;
  /** One sentence that says what to change. */
  readonly detail?: string;
  /** The ISBNs that the catalog does not have. */
  readonly missing?: readonly string[];
  /** The error of a search query, such as `open-quotation`. */
  readonly code?: string;
  /** Where it is in `q`. The first character is 1. */
  readonly position?: number;
  /** The values of a parameter that takes one of a list. */
  readonly allowed?: readonly string[];
}

/** The service has responded with an error. */
export class ColophonError extends Error {
  override readonly name = "ColophonError";

  constructor(
    readonly status: number,
    readonly problem: Problem,
    /** `X-Request-Id`: the operator finds the request in the log by it. */
    readonly requestId: string | undefined,
    readonly url: string,
  ) {
    super([problem.message ?? problem.title ?? `HTTP ${status}`, problem.detail].filter(Boolean).join(": "));
  }
}

/** Reads the error of a response. A proxy may have sent something else than a problem. */
export async function errorOf(response: Response, url: string): Promise<ColophonError> {
  const text = await response.text().catch(() => "");
  return new ColophonError(
    response.status,
    problemFrom(text),
    response.headers.get("x-request-id") ?? undefined,
    url,
  );
}

function problemFrom(text: string): Problem {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

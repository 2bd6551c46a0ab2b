/** Checks responses against the OpenAPI document. */
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";

interface ResponseObject {
  readonly headers?: Readonly<Record<string, { required?: boolean; schema: unknown }>>;
  readonly content?: Readonly<Record<string, { readonly schema?: unknown }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, { readonly get: { responses: Record<string, ResponseObject> } }>>;
  readonly components: { readonly responses: Readonly<Record<string, ResponseObject>> };
}

/** A response object and its JSON pointer in the document. */
interface Location {
  readonly pointer: string;
  readonly response: ResponseObject;
}

export interface CheckedResponse {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Without its content coding. */
  readonly body: Uint8Array;
}

export class ResponseValidator {
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: unknown) {
    this.#document = document as Document;
    this.#ajv.addSchema(document as object, "openapi");
  }

  /** Throws when the response is not as documented. */
  check({ method, path, status, headers, body }: CheckedResponse): void {
    const subject = `${method} ${path} ${status}`;
    requireThat(headers.get("x-content-type-options") === "nosniff", `${subject}: nosniff is missing`);
    requireThat(headers.has("vary"), `${subject}: Vary is missing`);
    if (status >= 400)
      requireThat(headers.get("cache-control") === "no-store", `${subject}: an error must not be cached`);
    const location = this.#locate(method, path, status);
    if (!location) {
      requireThat(status === 204 && method === "OPTIONS", `${subject} is not documented`);
      return;
    }
    const { pointer, response } = location;
    for (const [name, { required }] of Object.entries(response.headers ?? {})) {
      const value = headers.get(name);
      if (value === null) requireThat(!required, `${subject}: the header ${name} is missing`);
      else this.#validate(`${pointer}/headers/${escapePointer(name)}/schema`, value, `${subject}: ${name}`);
    }
    const types = Object.keys(response.content ?? {});
    if (method === "HEAD" || types.length === 0) {
      requireThat(body.length === 0, `${subject} must have no body`);
      return;
    }
    const type = headers.get("content-type") ?? "";
    requireThat(types.includes(type), `${subject}: ${type} is not documented`);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    if (!/json$/.test(type) || type === "application/x-ndjson") {
      requireThat(status === 200, `${subject}: an error has the type ${type}`);
      return;
    }
    const json = JSON.parse(text);
    this.#validate(`${pointer}/content/${escapePointer(type)}/schema`, json, subject);
    if (type === "application/problem+json")
      requireThat(json.status === status, `${subject}: the body's status is ${json.status}`);
  }

  /** Returns undefined when the document has no such response. */
  #locate(method: string, path: string, status: number): Location | undefined {
    const { paths, components } = this.#document;
    const shared = (name: string): Location => ({
      pointer: `#/components/responses/${name}`,
      response: components.responses[name]!,
    });
    if (status === 405 && !["GET", "HEAD", "OPTIONS"].includes(method)) return shared("MethodNotAllowed");
    const pathOnly = path.replace(/[?#].*$/, "");
    const template = Object.keys(paths).find((template) =>
      new RegExp(`^${template.replace(/\{\w+\}/, "[^/]+")}$`).test(pathOnly),
    );
    if (template === undefined) return status === 404 ? shared("NotFound") : undefined;
    const response = paths[template]!.get.responses[status];
    return response && { pointer: `#/paths/${escapePointer(template)}/get/responses/${status}`, response };
  }

  #validate(pointer: string, value: unknown, subject: string): void {
    let validate = this.#compiled.get(pointer);
    if (!validate) {
      validate = this.#ajv.compile({ $ref: `openapi${encodeURI(pointer)}` });
      this.#compiled.set(pointer, validate);
    }
    requireThat(validate(value) === true, `${subject}: ${this.#ajv.errorsText(validate.errors)}`);
  }
}

/** Escapes one part of a JSON pointer (RFC 6901 §3). */
function escapePointer(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}

function requireThat(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}

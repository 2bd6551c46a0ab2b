/** Checks responses against the OpenAPI document. */
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";

interface Media {
  readonly schema?: unknown;
}
interface Documented {
  readonly headers?: Readonly<Record<string, { required?: boolean; schema: unknown }>>;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Document {
  readonly paths: Readonly<Record<string, { readonly get: { responses: Record<string, Documented> } }>>;
  readonly components: { readonly responses: Readonly<Record<string, Documented>> };
}

export interface CheckedResponse {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Decoded. */
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
  check(answered: CheckedResponse): void {
    const { method, path, status, headers, body } = answered;
    const where = `${method} ${path} ${status}`;
    need(headers.get("x-content-type-options") === "nosniff", `${where}: nosniff is missing`);
    need(headers.has("vary"), `${where}: Vary is missing`);
    if (status >= 400)
      need(headers.get("cache-control") === "no-store", `${where}: an error must not be kept`);
    const found = this.#documented(method, path, status);
    if (!found) {
      need(status === 204 && method === "OPTIONS", `${where} is not documented`);
      return;
    }
    const [pointer, documented] = found;
    for (const [name, { required }] of Object.entries(documented.headers ?? {})) {
      const value = headers.get(name);
      if (value === null) need(!required, `${where}: the header ${name} is missing`);
      else this.#holds(`${pointer}/headers/${escaped(name)}/schema`, value, `${where}: ${name}`);
    }
    const types = Object.keys(documented.content ?? {});
    if (method === "HEAD" || types.length === 0) {
      need(body.length === 0, `${where} must have no body`);
      return;
    }
    const type = headers.get("content-type") ?? "";
    need(types.includes(type), `${where}: ${type} is not documented`);
    const json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    this.#holds(`${pointer}/content/${escaped(type)}/schema`, json, where);
    if (type === "application/problem+json")
      need(json.status === status, `${where}: the body says ${json.status}`);
  }

  #documented(method: string, path: string, status: number): [string, Documented] | undefined {
    const shared = (name: string): [string, Documented] => [
      `#/components/responses/${name}`,
      this.#document.components.responses[name]!,
    ];
    if (status === 405 && !["GET", "HEAD", "OPTIONS"].includes(method)) return shared("MethodNotAllowed");
    const bare = path.replace(/[?#].*$/, "");
    const template = Object.keys(this.#document.paths).find((one) =>
      new RegExp(`^${one.replace(/\{\w+\}/, "[^/]+")}$`).test(bare),
    );
    if (template === undefined) return status === 404 ? shared("NotFound") : undefined;
    const documented = this.#document.paths[template]!.get.responses[status];
    return documented && [`#/paths/${escaped(template)}/get/responses/${status}`, documented];
  }

  #holds(pointer: string, value: unknown, where: string): void {
    let validate = this.#compiled.get(pointer);
    if (!validate) {
      validate = this.#ajv.compile({ $ref: `openapi${encodeURI(pointer)}` });
      this.#compiled.set(pointer, validate);
    }
    need(validate(value) === true, `${where}: ${this.#ajv.errorsText(validate.errors)}`);
  }
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function need(right: boolean, message: string): void {
  if (!right) throw new Error(message);
}

/** Checks responses against the OpenAPI document. */
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";

interface HeaderObject {
  readonly required?: boolean;
  readonly schema: unknown;
}
interface ResponseObject {
  readonly headers?: Readonly<Record<string, HeaderObject | Reference>>;
  readonly content?: Readonly<Record<string, { readonly schema?: unknown }>>;
}
interface Reference {
  readonly $ref: string;
}
interface Operation {
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}
interface Document {
  readonly paths: Readonly<Record<string, { readonly get: Operation; readonly options: Operation }>>;
}

/** An object and its JSON pointer in the document. */
interface Location<T> {
  readonly pointer: string;
  readonly object: T;
}

interface CheckedResponse {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Without its content coding. */
  readonly body: Uint8Array;
}

export class ResponseValidator {
  readonly #document: Document;
  readonly #schemas: JsonSchemaCompiler;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: unknown) {
    this.#document = document as Document;
    this.#schemas = new JsonSchemaCompiler(document as object);
  }

  /** Throws when the response is not as documented. */
  check({ method, path, status, headers, body }: CheckedResponse): void {
    const subject = `${method} ${path} ${status}`;
    requireThat(headers.get("x-content-type-options") === "nosniff", `${subject}: nosniff is missing`);
    requireThat(headers.has("vary"), `${subject}: Vary is missing`);
    if (status >= 400)
      requireThat(headers.get("cache-control") === "no-store", `${subject}: an error must not be cached`);
    const location = this.#locate(method, path, status);
    if (!location) throw new Error(`${subject} is not documented`);
    const { pointer, object: response } = location;
    for (const [name, described] of Object.entries(response.headers ?? {})) {
      const header = this.#resolve(`${pointer}/headers/${escapePointer(name)}`, described);
      const value = headers.get(name);
      if (value === null) requireThat(!header.object.required, `${subject}: the header ${name} is missing`);
      else this.#validate(`${header.pointer}/schema`, value, `${subject}: ${name}`);
    }
    const types = Object.keys(response.content ?? {});
    if (method === "HEAD" || types.length === 0) {
      requireThat(body.length === 0, `${subject} must have no body`);
      return;
    }
    const type = headers.get("content-type") ?? "";
    // A client that prefers HTML gets a page. The document does not describe it.
    if (status === 404 && type.startsWith("text/html") && !path.startsWith("/api/")) return;
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
  #locate(method: string, path: string, status: number): Location<ResponseObject> | undefined {
    const { paths } = this.#document;
    const shared = (name: string) =>
      this.#resolve<ResponseObject>("", { $ref: `#/components/responses/${name}` });
    if (status === 405 && !["GET", "HEAD", "OPTIONS"].includes(method)) return shared("MethodNotAllowed");
    const pathOnly = path.replace(/[?#].*$/, "");
    const template = Object.keys(paths).find((template) =>
      new RegExp(`^${template.replace(/\{\w+\}/, "[^/]+")}$`).test(pathOnly),
    );
    if (template === undefined) return status === 404 ? shared("NotFound") : undefined;
    const operation = method === "OPTIONS" ? "options" : "get";
    const response = paths[template]![operation].responses[status];
    const pointer = `#/paths/${escapePointer(template)}/${operation}/responses/${status}`;
    return response && this.#resolve(pointer, response);
  }

  /** Follows a reference to a component. */
  #resolve<T extends object>(pointer: string, object: T | Reference): Location<T> {
    if (!("$ref" in object)) return { pointer, object };
    let target: unknown = this.#document;
    for (const part of object.$ref.split("/").slice(1)) target = (target as Record<string, unknown>)[part];
    return { pointer: object.$ref, object: target as T };
  }

  #validate(pointer: string, value: unknown, subject: string): void {
    let validate = this.#compiled.get(pointer);
    if (!validate) {
      validate = this.#schemas.compile(pointer);
      this.#compiled.set(pointer, validate);
    }
    requireThat(validate(value) === true, `${subject}: ${this.#schemas.errorsText(validate)}`);
  }
}

/** Escapes one part of a JSON pointer (RFC 6901 §3). */
function escapePointer(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}

function requireThat(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}

/** The id under which schemas of the document are found. */
const DOCUMENT = "openapi";

export class JsonSchemaCompiler {
  /** Compiling the schema of a record takes half as long with these settings. */
  readonly #ajv = new Ajv2020({
    strict: false,
    inlineRefs: false,
    validateSchema: false,
    code: { optimize: false },
    formats: { "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/ },
  });

  constructor(document: object) {
    this.#ajv.addSchema(document, DOCUMENT);
  }

  /** Compiles the schema at a JSON pointer, such as `#/components/schemas/Book`. */
  compile(pointer: string): ValidateFunction {
    return this.#ajv.compile({ $ref: DOCUMENT + encodeURI(pointer) });
  }

  errorsText(validate: ValidateFunction): string {
    return this.#ajv.errorsText(validate.errors);
  }
}

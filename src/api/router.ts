/** From the target of a request to its route. */

export interface Target {
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/** Splits a target that the parser has normalised. A URL object would cost more than the lookup that follows. */
export function splitTarget(target: string): Target {
  // RFC 9110 §4.2.5: the server ignores a fragment, which some clients send.
  const hash = target.indexOf("#");
  const end = hash < 0 ? target.length : hash;
  const mark = target.indexOf("?");
  if (mark < 0 || mark > end) return { path: target.slice(0, end), query: "" };
  return { path: target.slice(0, mark), query: target.slice(mark + 1, end) };
}

export interface RouteMatch<T> {
  readonly route: T;
  /** The segment in place of the path parameter, as it was sent. */
  readonly parameter: string;
}

/** Matches a whole path, or a path up to its last slash: a template has at most one parameter, at its end. */
export class Router<T> {
  readonly #byPath = new Map<string, RouteMatch<T>>();
  readonly #byPrefix = new Map<string, T>();

  add(template: string, route: T): void {
    const parameter = template.indexOf("{");
    if (parameter < 0) {
      this.#byPath.set(template, { route, parameter: "" });
    } else if (template[parameter - 1] === "/" && template.indexOf("}") === template.length - 1) {
      this.#byPrefix.set(template.slice(0, parameter), route);
    } else {
      throw new Error(`The template ${template} has a parameter that is not its last segment`);
    }
  }

  match(path: string): RouteMatch<T> | undefined {
    const segment = path.lastIndexOf("/") + 1;
    if (segment < path.length) {
      const route = this.#byPrefix.get(path.slice(0, segment));
      if (route !== undefined) return { route, parameter: path.slice(segment) };
    }
    return this.#byPath.get(path);
  }
}

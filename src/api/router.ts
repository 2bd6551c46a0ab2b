/** From the target of a request to what answers it. */

export interface Target {
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/** A path with its query, as `wire/head.ts` gives it. A URL object would cost more than the lookup that follows. */
export function targetOf(target: string): Target {
  // RFC 9110, 4.2.5: a fragment is none of the server's business, though some clients send it.
  const hash = target.indexOf("#");
  const end = hash < 0 ? target.length : hash;
  const mark = target.indexOf("?");
  if (mark < 0 || mark > end) return { path: target.slice(0, end), query: "" };
  return { path: target.slice(0, mark), query: target.slice(mark + 1, end) };
}

export interface Match<T> {
  readonly route: T;
  /** The segment that stands for the parameter of the path, as it was sent. */
  readonly parameter: string;
}

/** A path is either known as it is, or up to its last slash: no template has more than one parameter. */
export class Router<T> {
  readonly #exact = new Map<string, Match<T>>();
  readonly #byPrefix = new Map<string, T>();

  add(template: string, route: T): void {
    const parameter = template.indexOf("{");
    if (parameter < 0) {
      this.#exact.set(template, { route, parameter: "" });
    } else if (template[parameter - 1] === "/" && template.indexOf("}") === template.length - 1) {
      this.#byPrefix.set(template.slice(0, parameter), route);
    } else {
      throw new Error(`The template ${template} has a parameter that is not its last segment`);
    }
  }

  match(path: string): Match<T> | undefined {
    const cut = path.lastIndexOf("/") + 1;
    if (cut < path.length) {
      const route = this.#byPrefix.get(path.slice(0, cut));
      if (route !== undefined) return { route, parameter: path.slice(cut) };
    }
    return this.#exact.get(path);
  }
}

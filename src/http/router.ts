/** From the URL of a request to what answers it. */

export interface Target {
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/**
 * The target of a request as the runtime gives it: an absolute URL, or a bare path when the Host header makes
 * none. A URL object would cost more than the lookup that follows.
 */
export function targetOf(url: string): Target {
  // The host has at least one character: its end is no nearer than the ninth.
  const begin = url.startsWith("/") ? 0 : url.indexOf("/", 8);
  // RFC 9110, 4.2.5: a fragment is none of the server's business, though some clients send it.
  const hash = url.indexOf("#", begin);
  const end = hash < 0 ? url.length : hash;
  const mark = url.indexOf("?", begin);
  if (mark < 0 || mark > end) return { path: url.slice(begin, end), query: "" };
  return { path: url.slice(begin, mark), query: url.slice(mark + 1, end) };
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

/** The namespaces that are in scope (Namespaces in XML 1.0). */

/** Ids of namespaces. Others follow in the order of their declaration. */
export const NO_NAMESPACE = 0;
export const XML_NAMESPACE = 1;
export const XMLNS_NAMESPACE = 2;
/** The result for a prefix that is not declared. */
export const UNBOUND = -1;

const XML_URI = "http://www.w3.org/XML/1998/namespace";
const XMLNS_URI = "http://www.w3.org/2000/xmlns/";

/** A declaration that is in force, and what it has replaced. */
interface Declaration {
  readonly prefix: string;
  readonly replaced: number | undefined;
  /** The depth of the element that carries it. */
  readonly depth: number;
}

export class Namespaces {
  /** The id of the default namespace. */
  defaultId = NO_NAMESPACE;
  /** The depth of the innermost element with declarations; 0 without any. */
  innermostDepth = 0;
  private readonly uris: string[] = ["", XML_URI, XMLNS_URI];
  private readonly idOfUri = new Map<string, number>();
  private readonly idOfPrefix = new Map<string, number>();
  private readonly declarations: Declaration[] = [];

  /** Begins a chunk. Ids of earlier chunks are no longer valid. */
  begin(inScope: readonly (readonly [prefix: string, uri: string])[]): void {
    this.uris.length = XMLNS_NAMESPACE + 1;
    this.idOfUri.clear();
    for (const [id, uri] of this.uris.entries()) this.idOfUri.set(uri, id);
    this.idOfPrefix.clear();
    this.idOfPrefix.set("xml", XML_NAMESPACE);
    this.idOfPrefix.set("xmlns", XMLNS_NAMESPACE);
    this.declarations.length = 0;
    this.defaultId = NO_NAMESPACE;
    this.innermostDepth = 0;
    for (const [prefix, uri] of inScope) this.declare(prefix, uri, 1);
  }

  uriOf(id: number): string {
    return this.uris[id]!;
  }

  /** Returns the id of the namespace of a prefix, or UNBOUND. */
  resolve(prefix: string): number {
    return this.idOfPrefix.get(prefix) ?? UNBOUND;
  }

  /** Declares a prefix, or with an empty prefix the default namespace, for the element at this depth. */
  declare(prefix: string, uri: string, depth: number): void {
    let id = this.idOfUri.get(uri);
    if (id === undefined) {
      id = this.uris.push(uri) - 1;
      this.idOfUri.set(uri, id);
    }
    this.declarations.push({ prefix, replaced: this.idOfPrefix.get(prefix), depth });
    this.innermostDepth = depth;
    this.bind(prefix, id);
  }

  /** Ends the declarations of the element at this depth, the innermost one with declarations. */
  leave(depth: number): void {
    const { declarations } = this;
    while (declarations.length > 0 && declarations.at(-1)!.depth === depth) {
      const { prefix, replaced } = declarations.pop()!;
      this.bind(prefix, replaced);
    }
    this.innermostDepth = declarations.at(-1)?.depth ?? 0;
  }

  private bind(prefix: string, id: number | undefined): void {
    if (prefix === "") this.defaultId = id ?? NO_NAMESPACE;
    if (id === undefined) this.idOfPrefix.delete(prefix);
    else this.idOfPrefix.set(prefix, id);
  }

  /** Returns the prefixes in scope with their namespaces, without the two that are always there. */
  inScope(): readonly (readonly [prefix: string, uri: string])[] {
    const list: [string, string][] = [];
    for (const [prefix, id] of this.idOfPrefix) {
      if (prefix !== "xml" && prefix !== "xmlns") list.push([prefix, this.uris[id]!]);
    }
    return list;
  }
}

/** Explains why a declaration is not allowed (Namespaces in XML §3). Returns undefined when it is. */
export function declarationError(prefix: string, uri: string): string | undefined {
  if (prefix === "xml") return uri === XML_URI ? undefined : `xml prefix must be bound to ${XML_URI}`;
  if (prefix === "xmlns" || uri === XMLNS_URI) return `the namespace ${XMLNS_URI} may not be declared`;
  if (uri === XML_URI) return `the namespace ${XML_URI} may only have the prefix xml`;
  return prefix !== "" && uri === "" ? "a prefix may not be bound to an empty namespace" : undefined;
}

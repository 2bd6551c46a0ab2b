/** Tells which namespaces of a document are those of ONIX: none, that of the root element, and those of EDItEUR. */
import { isOnixNamespace } from "../message-version.ts";

/** Maps an id of the tokenizer to its URI. */
interface NamespaceUris {
  namespaceUri(id: number): string;
}

const UNKNOWN = 0;
const ONIX = 1;
const FOREIGN = 2;

export class OnixNamespaces {
  private rootNamespace = "";
  /** UNKNOWN, ONIX or FOREIGN, by id. */
  private known: number[] = [];

  constructor(private readonly uris: NamespaceUris) {}

  /** Begins a document, or a chunk of it: the ids change. */
  begin(rootNamespace: string): void {
    this.rootNamespace = rootNamespace;
    this.known = [];
  }

  isOnix(id: number): boolean {
    const known = this.known[id] ?? UNKNOWN;
    if (known !== UNKNOWN) return known === ONIX;
    const uri = this.uris.namespaceUri(id);
    const isOnix = uri === "" || uri === this.rootNamespace || isOnixNamespace(uri);
    this.known[id] = isOnix ? ONIX : FOREIGN;
    return isOnix;
  }
}

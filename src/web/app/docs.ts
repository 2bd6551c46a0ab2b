/**
 * The examples of the documentation with the reader's own data: the host that is visited and, with the token of the page,
 * an ISBN, an imprint and a language of this catalog. Each block can be copied. The texts are in English, as the pages.
 */
import { BASE } from "./shared/core/base.ts";
import { readSetting, STORAGE_KEYS } from "./shared/core/settings.ts";

/** The values that the examples are written with. */
const HOST = /http:\/\/127\.0\.0\.1:8080|\$\{?COLOPHON_URL\}?/g;
const ISBN = /\b97899999\d{5}\b/g;
const IMPRINT = /((?:[?&]|\b)imprint(?:=|\/|\("))[a-z0-9-]+/g;
const LANGUAGE = /([?&]language=)[a-z]{3}/g;

const blocks = [...document.querySelectorAll<HTMLElement>("main pre > code")];
/** Those that are run. Others show what a response looks like. */
const examples = blocks.filter((code) => /language-(sh|bash|ts|python)/.test(code.className));
const address = BASE.href.replace(/\/$/, "");

for (const example of examples) replaceIn(example, (text) => text.replace(HOST, address));
for (const block of blocks) addCopyButton(block);
const token = readSetting(STORAGE_KEYS.token);
if (token && examples.length > 0) useCatalog(token);

/** Replaces within texts, so that the colours stay. */
function replaceIn(code: HTMLElement, change: (text: string) => string): void {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue ?? "";
    const changed = change(text);
    if (changed !== text) node.nodeValue = changed;
  }
}

function addCopyButton(code: HTMLElement): void {
  const button = copyButton("Copy", () => code.textContent ?? "");
  const frame = document.createElement("div");
  frame.className = "code-frame";
  const block = code.parentElement!;
  block.replaceWith(frame);
  frame.append(block, button);
}

function copyButton(label: string, textOf: () => string): HTMLElement {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "copy", textContent: label });
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(textOf());
      button.textContent = "Copied";
    } catch {
      // Pages without TLS have no clipboard: the text is selected instead.
      const block = button.previousElementSibling;
      if (block) getSelection()?.selectAllChildren(block);
      button.textContent = "Selected";
    }
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
  return button;
}

interface Facet {
  readonly values: readonly { readonly value: string }[];
}

/** Without a valid token, or with an empty catalog, the examples are those of the sample. */
async function useCatalog(token: string): Promise<void> {
  const get = async (path: string) => {
    const response = await fetch(new URL(path, BASE), { headers: { Authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return await response.json();
  };
  try {
    const [isbns, { facets }] = await Promise.all([
      get("api/skus?limit=10") as Promise<readonly string[]>,
      get("api/facets") as Promise<{ readonly facets: Readonly<Record<string, Facet>> }>,
    ]);
    if (isbns.length === 0) return;
    const first = (name: string) => facets[name]?.values[0]?.value;
    const [imprint, language] = [first("imprint"), first("language")];
    const known = new Map<string, string>();
    const isbnFor = (isbn: string) => {
      if (!known.has(isbn)) known.set(isbn, isbns[known.size % isbns.length]!);
      return known.get(isbn)!;
    };
    for (const example of examples) {
      replaceIn(example, (text) => {
        let changed = text.replace(ISBN, isbnFor);
        if (imprint) changed = changed.replace(IMPRINT, `$1${imprint}`);
        return language ? changed.replace(LANGUAGE, `$1${language}`) : changed;
      });
    }
    showNote(token);
  } catch {
    // The page is complete without it.
  }
}

/** The token is copied on request only: it would stay in the history of a shell. */
function showNote(token: string): void {
  const note = document.createElement("p");
  note.className = "docs-note";
  const variables = `export TOKEN='${token}' COLOPHON_TOKEN='${token}' COLOPHON_URL='${address}'`;
  note.append(
    "The examples have the address and books of this catalog. They read the token from a variable: ",
    copyButton("Copy the variables", () => variables),
  );
  document.querySelector("main h1")?.after(note);
}

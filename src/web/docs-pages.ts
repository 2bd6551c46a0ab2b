/** The documentation as HTML, made from the Markdown files of the repository. */
import { posix } from "node:path";
import { programFile } from "../lib/program-files.ts";
import { colouredCode } from "./code-colours.ts";
import { headerLinks, htmlPage } from "./html-pages.ts";

/** Lists all pages, on four shelves. The navigation is made from it, so a page that it leaves out is not served. */
const INDEX = "docs/README.md";

/** A heading of the index, or a link below it. */
const SHELF_OR_LINK = /^## (?<shelf>.+)$|^- \[(?<title>[^\]]+)\]\((?<target>[^)]+)\)/gm;

/** A document of the repository. Its page is `/docs/{name}`. */
interface Document {
  readonly file: string;
  readonly name: string;
  readonly title: string;
}

/** Returns the pages by path. `/docs` is the index. */
export async function docsPages(): Promise<Map<string, string>> {
  const index = await read(INDEX);
  const shelves = shelvesOf(index);
  const documents = shelves.flatMap(({ documents }) => documents);
  const names = new Map(documents.map(({ file, name }) => [file, name]));
  const pages = new Map([
    ["/docs", pageOf({ file: INDEX, name: "", title: "Documentation" }, index, shelves, names)],
  ]);
  for (const document of documents)
    pages.set(`/docs/${document.name}`, pageOf(document, await read(document.file), shelves, names));
  return pages;
}

function read(file: string): Promise<string> {
  return Bun.file(programFile(file)).text();
}

function shelvesOf(index: string): Shelf<Document>[] {
  const shelves: { title: string; documents: Document[] }[] = [];
  for (const { groups } of index.matchAll(SHELF_OR_LINK)) {
    const { shelf, title = "", target = "" } = groups!;
    if (shelf !== undefined) shelves.push({ title: shelf, documents: [] });
    else shelves.at(-1)!.documents.push({ ...documentOf(target), title });
  }
  return shelves;
}

/** A page has the name of its file, and that of its folder when the file is a README. */
function documentOf(target: string): Omit<Document, "title"> {
  const file = posix.join(posix.dirname(INDEX), target);
  const { dir, name } = posix.parse(file);
  return { file, name: (name === "README" ? posix.basename(dir) : name).toLowerCase() };
}

function pageOf(
  { file, name, title }: Document,
  markdown: string,
  shelves: readonly Shelf<Document>[],
  names: ReadonlyMap<string, string>,
): string {
  // Leads from the URL of the page to that of its neighbours: below a path prefix, no URL is absolute.
  const folder = name === "" ? "docs/" : "";
  const html = Bun.markdown.html(withoutImagesAndComments(markdown), {
    headings: { ids: true },
    noHtmlBlocks: true,
    noHtmlSpans: true,
  });
  const linked = shelves.map((shelf) => ({
    title: shelf.title,
    documents: shelf.documents.map((each) => ({
      title: each.title,
      href: folder + each.name,
      isCurrent: each.file === file,
    })),
  }));
  const root = name === "" ? "" : "../";
  return htmlPage({
    title: `${title} · Colophon`,
    root,
    section: "docs",
    links: [
      headerLinks(root),
      `<link rel="stylesheet" href="${root}docs.css" />`,
      `<script type="module" src="${root}page/docs.js"></script>`,
    ],
    aside: `<nav class="documents" aria-label="Documentation">
${linked.map(shelfHtml).join("\n")}
      </nav>`,
    content: `${colouredCode(scrollableTables(rewriteLinks(html, file, folder, names)))}
${neighboursHtml(linked.flatMap(({ documents }) => documents))}`,
  });
}

/** Images are in the repository only. Comments are for the programs that write parts of a document. */
function withoutImagesAndComments(markdown: string): string {
  return markdown.replace(/^!\[[^\]]*\]\([^)]*\)$/gm, "").replace(/^<!--.*-->$/gm, "");
}

/** A link to a served document leads to its page. One to another file of the repository becomes text. */
function rewriteLinks(
  html: string,
  file: string,
  folder: string,
  names: ReadonlyMap<string, string>,
): string {
  return html.replace(/<a href="([^"]*)">(.*?)<\/a>/gs, (link, target: string, text: string) => {
    if (/^(https?:|#)/.test(target)) return link;
    const [path = "", fragment] = target.split("#");
    const targetFile = posix.join(posix.dirname(file), path);
    const hash = fragment === undefined ? "" : `#${fragment}`;
    if (targetFile === INDEX) return `<a href="${folder === "" ? "../docs" : "docs"}${hash}">${text}</a>`;
    const page = names.get(targetFile);
    return page === undefined ? text : `<a href="${folder}${page}${hash}">${text}</a>`;
  });
}

/** On a narrow screen a table scrolls within its frame, also with the keyboard. */
function scrollableTables(html: string): string {
  return html
    .replaceAll("<table>", '<div class="table" role="group" aria-label="Table" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<pre>", '<pre tabindex="0">');
}

interface Shelf<Document> {
  readonly title: string;
  readonly documents: readonly Document[];
}

interface DocumentLink {
  readonly title: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

/** Leads to the documents before and after this one, in the order of the list. */
function neighboursHtml(documents: readonly DocumentLink[]): string {
  const current = documents.findIndex(({ isCurrent }) => isCurrent);
  const link = (document: DocumentLink | undefined, rel: string, name: string) =>
    document ? `<a rel="${rel}" href="${document.href}">${name}: ${document.title}</a>` : "<span></span>";
  const previous = current > 0 ? documents[current - 1] : undefined;
  return `<nav class="neighbours" aria-label="Previous and next">${link(previous, "prev", "Previous")}${link(documents[current + 1], "next", "Next")}</nav>`;
}

function shelfHtml({ title, documents }: Shelf<DocumentLink>): string {
  const items = documents.map(({ title, href, isCurrent }) => {
    const current = isCurrent ? ' aria-current="page"' : "";
    return `          <li><a href="${href}"${current}>${title}</a></li>`;
  });
  return `        <p class="shelf-name">${title}</p>\n        <ul>\n${items.join("\n")}\n        </ul>`;
}

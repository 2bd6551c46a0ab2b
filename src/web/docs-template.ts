/** The frame of a page of the documentation. */
import { headerHtml, headerLinks } from "./html-pages.ts";

export interface Shelf<Document> {
  readonly title: string;
  readonly documents: readonly Document[];
}

interface DocumentLink {
  readonly title: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

interface DocsPage {
  readonly title: string;
  /** Leads from the URL of the page to the root of the service. */
  readonly root: string;
  /** The list of all pages. */
  readonly shelves: readonly Shelf<DocumentLink>[];
  readonly content: string;
}

export function docsHtml({ title, root, shelves, content }: DocsPage): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · Colophon</title>
    ${headerLinks(root)}
    <link rel="stylesheet" href="${root}docs.css" />
    <script type="module" src="${root}page/docs.js"></script>
  </head>
  <body>
    ${headerHtml(root, "docs")}
    <div class="columns">
      <nav class="documents" aria-label="Documentation">
${shelves.map(shelfHtml).join("\n")}
      </nav>
      <main id="content" tabindex="-1">
${content}
${neighboursHtml(shelves.flatMap(({ documents }) => documents))}
      </main>
    </div>
  </body>
</html>
`;
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

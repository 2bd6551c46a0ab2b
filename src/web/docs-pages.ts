/** The documentation for integrators as HTML, made from the Markdown files of the repository. */
import changelog from "../../CHANGELOG.md" with { type: "text" };
import changes from "../../docs/changes.md" with { type: "text" };
import client from "../../docs/client.md" with { type: "text" };
import contract from "../../docs/contract.md" with { type: "text" };
import errors from "../../docs/errors.md" with { type: "text" };
import formats from "../../docs/formats.md" with { type: "text" };
import quality from "../../docs/quality.md" with { type: "text" };
import record from "../../docs/record.md" with { type: "text" };
import search from "../../docs/search.md" with { type: "text" };
import stability from "../../docs/stability.md" with { type: "text" };
import start from "../../docs/start.md" with { type: "text" };
import summary from "../../docs/summary.md" with { type: "text" };
import { docsHtml } from "./docs-template.ts";

interface Document {
  readonly title: string;
  readonly markdown: string;
}

/** By the last segment of the path. The file has the same name, but for the change log. */
const DOCUMENTS: Readonly<Record<string, Document>> = {
  start: { title: "Getting started", markdown: start },
  record: { title: "The record", markdown: record },
  summary: { title: "The summary", markdown: summary },
  search: { title: "Search", markdown: search },
  quality: { title: "Quality", markdown: quality },
  changes: { title: "Following changes", markdown: changes },
  formats: { title: "Formats", markdown: formats },
  errors: { title: "Errors", markdown: errors },
  contract: { title: "The contract", markdown: contract },
  client: { title: "The client", markdown: client },
  stability: { title: "Stability", markdown: stability },
  changelog: { title: "Changes of Colophon", markdown: changelog },
};

const FIRST = "start";

/** Returns the pages by path. `/docs` is the first one. */
export function docsPages(): Map<string, string> {
  const pages = new Map([["/docs", pageOf(FIRST, "docs/")]]);
  for (const name of Object.keys(DOCUMENTS)) pages.set(`/docs/${name}`, pageOf(name, ""));
  return pages;
}

/** `folder` leads from the URL of the page to that of its neighbours: below a path prefix, no URL is absolute. */
function pageOf(name: string, folder: string): string {
  const { title, markdown } = DOCUMENTS[name]!;
  const html = Bun.markdown.html(markdown, {
    headings: { ids: true },
    noHtmlBlocks: true,
    noHtmlSpans: true,
  });
  const links = Object.entries(DOCUMENTS).map(([each, { title }]) => {
    const current = each === name ? ' aria-current="page"' : "";
    return `<li><a href="${folder}${each}"${current}>${title}</a></li>`;
  });
  return docsHtml({
    title,
    root: folder === "" ? "../" : "",
    navigation: links,
    content: scrollableTables(rewriteLinks(html, folder)),
  });
}

/** A link to a served document leads to its page. One to another file of the repository becomes text. */
function rewriteLinks(html: string, folder: string): string {
  return html.replace(/<a href="([^"]*)">(.*?)<\/a>/gs, (link, target: string, text: string) => {
    if (/^(https?:|#)/.test(target)) return link;
    const [, name = "", fragment = ""] = /^(?:\.\.\/)?(?:docs\/)?([A-Za-z-]+)\.md(#.*)?$/.exec(target) ?? [];
    const page = name.toLowerCase();
    return Object.hasOwn(DOCUMENTS, page) ? `<a href="${folder}${page}${fragment}">${text}</a>` : text;
  });
}

/** On a narrow screen a table scrolls within its frame, also with the keyboard. */
function scrollableTables(html: string): string {
  return html
    .replaceAll("<table>", '<div class="table" role="group" aria-label="Table" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<pre>", '<pre tabindex="0">');
}

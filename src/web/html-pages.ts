/** The pages as HTML, with the head and the header that they share. Scripts add the switches for language and theme. */
import { NAVIGATION, type Section } from "./navigation.ts";
import { HTML, type Page, pageOf } from "./page-file.ts";

/** Returns the links of the header's style sheet and of its scripts. `root` leads from the page to the service. */
export function headerLinks(root: string): string {
  return [
    `<link rel="icon" href="${root}openapi/icon.svg" type="image/svg+xml" />`,
    `<script src="${root}page/theme.js"></script>`,
    `<link rel="stylesheet" href="${root}page/header.css" />`,
    `<script type="module" src="${root}page/header.js"></script>`,
  ].join("\n    ");
}

/** Returns the header. It works without scripts; `data-section` tells the script which link is current. */
function headerHtml(root: string, current: Section | undefined): string {
  const links = NAVIGATION.map(({ section, path, eng }) => {
    const mark = section === current ? ' aria-current="page"' : "";
    return `<li><a href="${root}${path || (root === "" ? "." : "")}"${mark}>${eng}</a></li>`;
  });
  const home = root === "" ? "." : root;
  return `<a class="skip-link" href="#content">Skip to content</a>
    <header class="site-header" id="site-header" data-section="${current ?? ""}">
      <div class="site-header-row">
        <a class="site-name" href="${home}"><img src="${root}openapi/icon.svg" alt="" width="28" height="28" />Colophon</a>
        <nav class="site-nav" aria-label="Colophon"><ul>${links.join("")}</ul></nav>
      </div>
    </header>`;
}

interface HtmlPage {
  readonly title: string;
  /** Leads from the URL of the page to the root of the service: below a path prefix, no URL is absolute. */
  readonly root: string;
  readonly section: Section | undefined;
  /** Elements of the head, each on a line of its own. */
  readonly links: readonly string[];
  /** Stands beside the content. */
  readonly aside?: string;
  readonly mainClass?: string;
  readonly content: string;
}

export function htmlPage({ title, root, section, links, aside, mainClass, content }: HtmlPage): string {
  const main = `<main id="content"${mainClass ? ` class="${mainClass}"` : ""} tabindex="-1">
      ${content}
    </main>`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    ${links.join("\n    ")}
  </head>
  <body>
    ${headerHtml(root, section)}
    ${aside ? `<div class="columns">${aside}${main}</div>` : main}
  </body>
</html>
`;
}

/** Returns the OpenAPI page. `src/web/app/openapi/` draws everything below the header. */
export function openApiHtml(): string {
  return htmlPage({
    title: "API · Colophon",
    root: "",
    section: "api",
    links: [
      headerLinks(""),
      '<link rel="stylesheet" href="page/openapi.css" />',
      '<script type="module" src="page/openapi.js"></script>',
    ],
    content:
      '<noscript><p>This page needs JavaScript. The description of the API is at <a href="openapi.json">openapi.json</a>, and the <a href="docs">documentation</a> needs none.</p></noscript>',
  });
}

/**
 * Returns the page for a browser at a path that is nothing. It leads to the page for people. `root` leads from the URL
 * of the request to the root of the service, also below a path prefix of a proxy.
 */
export function notFoundPage(root: string): Page {
  const html = htmlPage({
    title: "Not Found · Colophon",
    root,
    section: undefined,
    links: [headerLinks(root), `<link rel="stylesheet" href="${root}docs.css" />`],
    mainClass: "single",
    content: `<h1>There is no page at this address</h1>
      <p>The address may be old or mistyped. (404 Not Found)</p>
      <ul>
        <li><a href="${root}">The catalog</a>: look for books</li>
        <li><a href="${root}openapi.html">The API</a>: its endpoints, to try them out</li>
        <li><a href="${root}docs">The documentation</a></li>
      </ul>`,
  });
  return pageOf(Buffer.from(html), HTML);
}

/** By path, in the order of `PAGES` in app/pages.ts. `{isbn}` stands for one segment. */
const SHELLS: readonly (readonly [path: string, section: Section | undefined, root: string])[] = [
  ["/", "shelf", ""],
  ["/imprints", "imprints", ""],
  ["/quality", "quality", ""],
  ["/imports", "imports", ""],
  ["/book/{isbn}", undefined, "../"],
];

export const SHELL_PATHS: readonly string[] = SHELLS.map(([path]) => path);

/**
 * Returns the HTML of the page for people, by path. The app in src/web/app draws everything below the header.
 * `modulesOf` returns the names of the scripts that `app.js` imports for the page with this index.
 */
export function shellPages(modulesOf: (index: number) => readonly string[]): Map<string, string> {
  return new Map(
    SHELLS.map(([path, section, root], index) => [path, shellHtml(root, section, modulesOf(index))]),
  );
}

function shellHtml(root: string, section: Section | undefined, modules: readonly string[]): string {
  return htmlPage({
    title: "Colophon",
    root,
    section,
    links: [
      `<link rel="icon" href="${root}openapi/icon.svg" type="image/svg+xml" />`,
      `<script src="${root}page/theme.js"></script>`,
      // A font that is loaded before the first text is used for it.
      ...[400, 600].map(
        (weight) =>
          `<link rel="preload" href="${root}page/literata-latin-${weight}.woff2" as="font" type="font/woff2" crossorigin />`,
      ),
      `<link rel="stylesheet" href="${root}page/app.css" />`,
      `<script type="module" src="${root}page/app.js"></script>`,
      // Without these, the browser finds a script when the one before it has come.
      ...modules.map((name) => `<link rel="modulepreload" href="${root}page/${name}" />`),
    ],
    content: `<noscript><p class="notice">This page needs JavaScript. The catalog is also served as JSON: see <a href="${root}docs">the documentation</a>.</p></noscript>`,
  });
}

/** The head and the header that all pages share, as HTML. Scripts add the switches for language and theme. */
import { NAVIGATION, type Section } from "./navigation.ts";

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
export function headerHtml(root: string, current: Section | undefined): string {
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

/** The frame of a page of the documentation. */
import { headerHtml, headerLinks } from "./html-pages.ts";

export interface DocsPage {
  readonly title: string;
  /** Leads from the URL of the page to the root of the service. */
  readonly root: string;
  /** The items of the list of pages, as HTML. */
  readonly navigation: readonly string[];
  readonly content: string;
}

export function docsHtml({ title, root, navigation, content }: DocsPage): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · Colophon</title>
    ${headerLinks(root)}
    <link rel="stylesheet" href="${root}docs.css" />
  </head>
  <body>
    ${headerHtml(root, "docs")}
    <div class="columns">
      <nav class="documents" aria-label="Documentation">
        <ul>
${navigation.map((item) => `          ${item}`).join("\n")}
        </ul>
      </nav>
      <main id="content" tabindex="-1">
${content}
      </main>
    </div>
  </body>
</html>
`;
}

/** The HTML of the page for people. The app in src/web/app draws everything below the header. */
import { headerHtml } from "./header.ts";
import type { Section } from "./navigation.ts";

/** By path. `{isbn}` stands for one segment. */
const SHELLS: readonly (readonly [path: string, section: Section | undefined, root: string])[] = [
  ["/", "shelf", ""],
  ["/imprints", "imprints", ""],
  ["/quality", "quality", ""],
  ["/imports", "imports", ""],
  ["/book/{isbn}", undefined, "../"],
];

export function shellPages(): Map<string, string> {
  return new Map(SHELLS.map(([path, section, root]) => [path, shellHtml(root, section)]));
}

/** `root` leads from the URL of the page to the root of the service: below a path prefix, no URL is absolute. */
function shellHtml(root: string, section: Section | undefined): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Colophon</title>
    <link rel="icon" href="${root}openapi/icon.svg" type="image/svg+xml" />
    <script src="${root}page/theme.js"></script>
    <link rel="stylesheet" href="${root}page/app.css" />
    <script type="module" src="${root}page/app.js"></script>
  </head>
  <body>
    ${headerHtml(root, section)}
    <main id="content" tabindex="-1">
      <noscript><p class="notice">This page needs JavaScript. The catalog is also served as JSON: see <a href="${root}docs">the documentation</a>.</p></noscript>
    </main>
  </body>
</html>
`;
}

/** Reads a book's page in the browser, with everything opened. */
import type { Page } from "playwright-core";

interface OpenedBook {
  /** Everything that the page says: texts, and the values behind them. */
  readonly shown: string;
  /** The text nodes, one by one. */
  readonly texts: readonly string[];
  /** Codes without a label. */
  readonly unknownCodes: readonly string[];
}

/** Goes to a book within the app, opens its tree, and reads the page. `isWhole` also turns the switch of the tree. */
export async function readBook(page: Page, isbn: string, { isWhole = false } = {}): Promise<OpenedBook> {
  return (await page.evaluate(`(${READ})(${JSON.stringify(isbn)}, ${isWhole})`)) as OpenedBook;
}

/** Opens everything on the page. Children of a closed branch are not in the document until it is open. */
const OPEN_ALL = `async () => {
  const all = "article details:not([open]), article .tree details:not(:has(> .tree))";
  for (let unread; (unread = document.querySelectorAll(all)).length > 0; ) {
    for (const details of unread) details.open = true;
    await new Promise((resolve) => setTimeout(resolve));
  }
}`;

const READ = `async (isbn, isWhole) => {
  const base = location.pathname.replace(/book\\/[^/]*$/, "");
  if (location.pathname !== base + "book/" + isbn) {
    history.pushState(null, "", base + "book/" + isbn);
    dispatchEvent(new PopStateEvent("popstate"));
  }
  let article;
  while (!(article = document.querySelector('article[data-isbn="' + isbn + '"]')))
    await new Promise((resolve) => setTimeout(resolve, 2));
  const whole = article.querySelector("#fields .switch input");
  if (whole.checked !== isWhole) whole.click();
  // The page draws what the click has changed.
  await new Promise((resolve) => setTimeout(resolve));
  await (${OPEN_ALL})();
  const texts = [];
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.push(walker.currentNode.data.trim());
  const attributes = [...article.querySelectorAll("[value], [title], [href], [datetime]")].flatMap((element) =>
    ["value", "title", "href", "datetime"].map((name) => element.getAttribute(name) ?? ""));
  return {
    shown: article.textContent + "\\n" + texts.join(" ") + "\\n" + attributes.join("\\n"),
    texts,
    unknownCodes: [...article.querySelectorAll(".unknown-code")].map((element) => element.textContent),
  };
}`;

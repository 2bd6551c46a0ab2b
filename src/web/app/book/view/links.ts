/** Links of a record. Only http and https are links; everything else is shown as text. */
import type { Fields, Shown } from "../record/fields.ts";

export interface LinkView {
  /** Undefined for a text that is not an http or https URL. */
  readonly href: string | undefined;
  /** The URL as the feed has it. */
  readonly url: string;
  readonly role: Shown | undefined;
  readonly description: Shown | undefined;
}

/** Returns the URL when a browser may open it. `javascript:` and the like run code. */
function webUrl(text: string): string | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).href : undefined;
}

/** Returns the host of a link, which is shorter to read. */
export function hostOf(href: string): string {
  return new URL(href).hostname.replace(/^www\./, "");
}

export function linkOf(url: Shown, role?: Shown, description?: Shown): LinkView {
  return { href: webUrl(url.text), url: url.text, role, description };
}

export function websitesOf(parent: Fields): readonly LinkView[] {
  return parent.flatMap("Website", (website) => {
    const links = website.all("WebsiteLink");
    if (links.length === 0) return [];
    const [role, description] = [website.one("WebsiteRole"), website.one("WebsiteDescription")];
    return links.map((url) => linkOf(url, role, description));
  });
}

/** The header of the documentation and of the OpenAPI page. */
import { render } from "preact";
import type { Section } from "../navigation.ts";
import { SiteHeader } from "./shared/ui/site-header.tsx";

const header = document.getElementById("site-header");
if (header) {
  const current = (header.dataset.section || undefined) as Section | undefined;
  header.replaceChildren();
  render(<SiteHeader current={current} isApp={false} />, header);
}

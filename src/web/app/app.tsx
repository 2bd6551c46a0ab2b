/** Starts the page for people. */
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { CurrentPage } from "./current-page.tsx";
import { routeOf } from "./pages.ts";
import { useObservable } from "./shared/core/observable.ts";
import { place, startRouter } from "./shared/core/router.ts";
import { LANGUAGE_TAGS, language } from "./shared/core/settings.ts";
import { useTexts } from "./shared/core/texts.ts";
import { COMMON } from "./shared/ui/common-texts.ts";
import { ConnectionNotice } from "./shared/ui/connection-notice.tsx";
import { SiteHeader } from "./shared/ui/site-header.tsx";
import { Toasts, toast } from "./shared/ui/toast.tsx";

function Header() {
  const texts = useTexts(COMMON);
  const chosen = useObservable(language);
  const section = routeOf(useObservable(place))?.route.section;
  useEffect(() => {
    document.documentElement.lang = LANGUAGE_TAGS[chosen];
    document.querySelector(".skip-link")!.textContent = texts.skip;
  }, [chosen]);
  return <SiteHeader current={section} onTokenForgotten={() => toast(texts.tokenForgotten)} />;
}

// A relative URL would change its meaning when the path of the page does.
for (const icon of document.querySelectorAll<HTMLLinkElement>("link[rel=icon]"))
  icon.setAttribute("href", icon.href);
startRouter((path) => routeOf({ path, query: new URLSearchParams() }) !== undefined);
mount(<Header />, document.getElementById("site-header")!);
mount(<CurrentPage />, document.getElementById("content")!);
mount(<ConnectionNotice />, document.body.appendChild(document.createElement("div")));
mount(<Toasts />, document.body.appendChild(document.createElement("div")));

/** The HTML that the server has sent is replaced. */
function mount(component: preact.ComponentChild, parent: HTMLElement): void {
  parent.replaceChildren();
  render(component, parent);
}

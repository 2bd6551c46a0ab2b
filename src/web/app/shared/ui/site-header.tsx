/** The header of every page: name, navigation, language, theme and settings. src/web/html-pages.ts has it as HTML. */
import { useRef } from "preact/hooks";
import { NAVIGATION, type Section } from "../../../navigation.ts";
import { BASE } from "../core/base.ts";
import { useObservable } from "../core/observable.ts";
import {
  LANGUAGE_TAGS,
  language,
  loadsCovers,
  setLanguage,
  setLoadsCovers,
  setTheme,
  theme,
} from "../core/settings.ts";
import { useTexts } from "../core/texts.ts";
import { setToken, tokenState } from "../core/token.ts";
import { COMMON } from "./common-texts.ts";

interface Props {
  readonly current: Section | undefined;
  /** Only the app has settings. */
  readonly onTokenForgotten?: () => void;
}

export function SiteHeader({ current, onTokenForgotten }: Props) {
  const texts = useTexts(COMMON);
  const chosen = useObservable(language);
  return (
    <div class="site-header-row" lang={LANGUAGE_TAGS[chosen]}>
      <a class="site-name" href={BASE.href}>
        <img src={new URL("openapi/icon.svg", BASE).href} alt="" width="28" height="28" />
        Colophon
      </a>
      <nav class="site-nav" aria-label={texts.navigation}>
        <ul>
          {NAVIGATION.map(({ section, path, ...label }) => (
            <li key={section}>
              <a
                href={new URL(path || ".", BASE).href}
                aria-current={section === current ? "page" : undefined}
              >
                {label[chosen]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="site-tools">
        <LanguageSwitch />
        <ThemeSwitch />
        {onTokenForgotten && <Settings onTokenForgotten={onTokenForgotten} />}
      </div>
    </div>
  );
}

function LanguageSwitch() {
  const texts = useTexts(COMMON);
  const other = useObservable(language) === "eng" ? "spa" : "eng";
  return (
    <button type="button" class="tool" lang={LANGUAGE_TAGS[other]} onClick={() => setLanguage(other)}>
      {texts.otherLanguage}
    </button>
  );
}

function ThemeSwitch() {
  const texts = useTexts(COMMON);
  const isDark = useObservable(theme) === "dark";
  const label = isDark ? texts.toLight : texts.toDark;
  return (
    <button
      type="button"
      class="tool tool-icon"
      aria-label={label}
      title={label}
      onClick={() => setTheme(isDark ? "light" : "dark")}
    >
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        {isDark ? (
          <path d="M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10ZM12 1.500v3M12 19.500v3M1.500 12h3M19.500 12h3M4.600 4.600l2.100 2.100M17.300 17.300l2.100 2.100M4.600 19.400l2.100-2.100M17.300 6.700l2.100-2.100" />
        ) : (
          <path d="M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500Z" />
        )}
      </svg>
    </button>
  );
}

function Settings({ onTokenForgotten }: { onTokenForgotten: () => void }) {
  const texts = useTexts(COMMON);
  const covers = useObservable(loadsCovers);
  const hasToken = useObservable(tokenState).kind !== "missing";
  const menu = useRef<HTMLDivElement>(null);
  const forget = () => {
    menu.current?.hidePopover();
    setToken("");
    onTokenForgotten();
  };
  return (
    <>
      <button
        type="button"
        class="tool tool-icon"
        aria-label={texts.settings}
        title={texts.settings}
        popovertarget="site-settings"
      >
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
          <path d="M4 7h9M19 7h1M4 17h1M11 17h9M16 4.500v5M8 14.500v5" />
        </svg>
      </button>
      <div class="panel settings" id="site-settings" popover="auto" ref={menu}>
        <label class="switch">
          <input
            type="checkbox"
            checked={covers}
            onChange={(event) => setLoadsCovers(event.currentTarget.checked)}
          />
          <span>
            {texts.covers}
            <small>{texts.coversNote}</small>
          </span>
        </label>
        {hasToken && (
          <button type="button" class="button button-quiet" onClick={forget}>
            {texts.forgetToken}
          </button>
        )}
      </div>
    </>
  );
}

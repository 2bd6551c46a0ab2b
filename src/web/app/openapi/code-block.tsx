/** A block of text in a fixed-width font, that can be scrolled with the keyboard. JSON is coloured. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { indentJson, type Token, type TokenKind } from "./json-text.ts";

interface CodeProps {
  /** The name for screen readers. */
  readonly label: string;
  readonly text: string;
}

export function CodeBlock({ label, text }: CodeProps) {
  return (
    <Scrollable label={label}>
      <pre>{text}</pre>
    </Scrollable>
  );
}

/** Shows JSON indented. Without colours in a browser that has no CSS Custom Highlight API. */
export function JsonBlock({ label, text: source }: CodeProps) {
  const block = useRef<HTMLPreElement>(null);
  const { text, tokens } = useMemo(() => indentJson(source), [source]);
  useLayoutEffect(() => {
    const node = block.current?.firstChild;
    return node ? colour(node, tokens) : undefined;
  }, [text]);
  return (
    <Scrollable label={label}>
      <pre ref={block}>{text}</pre>
    </Scrollable>
  );
}

function Scrollable({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard.
    <figure class="code" aria-label={label} tabIndex={0}>
      {children}
    </figure>
  );
}

/** More ranges slow down scrolling. */
const MAX_COLOURED_TOKENS = 5_000;

/** Colours ranges of one text node: elements around tokens would take many times longer. Returns how to undo it. */
function colour(node: Node, tokens: readonly Token[]): (() => void) | undefined {
  if (typeof Highlight === "undefined" || tokens.length > MAX_COLOURED_TOKENS) return undefined;
  const ranges = tokens.map(({ kind, start, end }) => {
    const range = new StaticRange({
      startContainer: node,
      startOffset: start,
      endContainer: node,
      endOffset: end,
    });
    highlightOf(kind).add(range);
    return [kind, range] as const;
  });
  return () => {
    for (const [kind, range] of ranges) highlightOf(kind).delete(range);
  };
}

function highlightOf(kind: TokenKind): Highlight {
  const name = `json-${kind}`;
  const known = CSS.highlights.get(name);
  if (known) return known;
  const highlight = new Highlight();
  CSS.highlights.set(name, highlight);
  return highlight;
}

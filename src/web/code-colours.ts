/** Colours the examples of the documentation when they are made: the pages need no library and no inline style. */

/** The parts of a language that have a colour. An earlier rule counts more. The text is escaped as HTML. */
const QUOTED = String.raw`&quot;(?:\\.|(?!&quot;)[^\\\n])*&quot;|'(?:\\.|[^'\\\n])*'|&#39;(?:\\.|(?!&#39;)[^\\\n])*&#39;`;
const NUMBER = String.raw`(?<![\w.-])-?\d+(?:\.\d+)?(?![\w.-])`;

const RULES: Readonly<Record<string, RegExp>> = {
  sh: rule({
    comment: String.raw`(?<=^|\s)#[^\n]*`,
    string: QUOTED,
    keyword: String.raw`(?<=^|[|;&\n]\s*)(?:curl|colophon|npx|npm|export|docker|systemctl)(?=\s)`,
  }),
  json: rule({
    key: String.raw`&quot;(?:\\.|(?!&quot;)[^\\\n])*&quot;(?=\s*:)`,
    string: QUOTED,
    number: NUMBER,
    keyword: String.raw`\b(?:true|false|null)\b`,
  }),
  ts: rule({
    comment: String.raw`\/\/[^\n]*`,
    string: `${QUOTED}|\`[^\`]*\``,
    number: NUMBER,
    keyword: String.raw`\b(?:await|async|const|let|for|of|if|else|import|from|export|function|return|new|true|false|null|undefined)\b`,
  }),
  python: rule({
    comment: String.raw`#[^\n]*`,
    string: QUOTED,
    number: NUMBER,
    keyword: String.raw`\b(?:import|from|def|return|for|in|while|if|else|with|as|not|None|True|False|print)\b`,
  }),
  xml: rule({
    comment: "&lt;!--[\\s\\S]*?--&gt;",
    keyword: String.raw`&lt;\/?[\w:-]+|\/?&gt;`,
    string: QUOTED,
  }),
};
const LANGUAGES: Readonly<Record<string, string>> = {
  js: "ts",
  typescript: "ts",
  javascript: "ts",
  bash: "sh",
  py: "python",
};

function rule(parts: Readonly<Record<string, string>>): RegExp {
  return new RegExp(
    Object.entries(parts)
      .map(([name, pattern]) => `(?<${name}>${pattern})`)
      .join("|"),
    "g",
  );
}

/** Returns the HTML with spans around the coloured parts of its code blocks. */
export function colouredCode(html: string): string {
  return html.replace(
    /(<pre[^>]*><code class="language-(\w+)[^"]*">)([\s\S]*?)(<\/code>)/g,
    (block, start: string, name: string, code: string, end: string) => {
      const pattern = RULES[LANGUAGES[name] ?? name];
      return pattern === undefined ? block : start + code.replace(pattern, colour) + end;
    },
  );
}

function colour(match: string, ...rest: unknown[]): string {
  const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
  const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
  return `<span class="code-${kind}">${match}</span>`;
}

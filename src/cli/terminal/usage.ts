/** The help text, made from the declarations of the commands. */

import { programName } from "./arguments.ts";
import { type Form, type Option, optionsByName } from "./command.ts";
import { commands, loadCommand } from "./commands.ts";

const MAX_COLUMNS = 118;
const INDENT = " ".repeat(19);
/** Stands for a space at which no line breaks. */
const NO_BREAK = "\u00a0";

const FOOTER = `  colophon --version

STORE is a file (default data/catalog.db) or a postgres:// URL.
Exit 0: success. 3: imported, but some products were rejected. 1: failed, nothing changed. 2: wrong usage.
4: outcome unknown, because the connection was lost during the commit; import again.
Environment: COLOPHON_DB, PORT, HOST, COLOPHON_JWT_SECRET, COLOPHON_JWT_SECRET_PREVIOUS, COLOPHON_JWT_KEYS,
COLOPHON_JWT_ISSUER, COLOPHON_JWT_AUDIENCE, COLOPHON_CORS_ORIGIN. Options of serve and watch have variables too, such as
COLOPHON_ADMIN_PORT for --admin-port, and so do --in-order, --other-senders,
--keep-deletions and --keep-undo of import.
"colophon COMMAND --help" shows one command with examples.
`;

/** Returns the help of one command with examples, or the whole help text when there is no such command. */
export async function helpFor(name: string | undefined): Promise<string> {
  const command = await loadCommand(name);
  if (name === undefined || !command) {
    const usages = await Promise.all(Object.keys(commands).map(usageOf));
    return `Colophon: ONIX 3 feeds in, a JSON catalog out.\n\n${usages.join("\n")}\n${FOOTER}`;
  }
  const examples = command.examples
    .map((line) => `  ${line.replace(/(?<=^|[ (])colophon(?= )/, programName())}`)
    .join("\n");
  return `${await usageOf(name)}\n\nExamples:\n${examples}\n\nSee "colophon --help" for the other commands.`;
}

/** Returns the synopsis of one command, or the names of all commands when there is no such command. */
export async function usageFor(name: string | undefined): Promise<string> {
  const command = await loadCommand(name);
  if (name === undefined || !command) {
    return `Commands: ${Object.keys(commands).join(", ")}. See "colophon --help".`;
  }
  const lines = command.forms.map((form) => synopsisOf(name, form));
  return `${lines.join("\n")}\n\nSee "colophon ${name} --help".`;
}

async function usageOf(name: string): Promise<string> {
  const { forms } = (await loadCommand(name))!;
  return forms.map((form) => `${synopsisOf(name, form)}\n${INDENT}${explanationOf(form)}`).join("\n");
}

function explanationOf({ options, about }: Form): string {
  const help = Object.entries(optionsByName(options)).flatMap(([option, each]) =>
    each.help ? [`--${option}: ${each.help}`] : [],
  );
  return wrap([about, ...help].join("; "));
}

function synopsisOf(command: string, { name, operands, options }: Form): string {
  const entries = Object.entries(optionsByName(options));
  const isNested = ({ needs }: Option<unknown>) => entries.some(([other]) => other === needs);
  const synopsis = (needed: string | undefined): string[] =>
    entries
      .filter(([, each]) => (needed === undefined ? !isNested(each) : each.needs === needed))
      .map(([option, { value, type, isRequired }]) => {
        const own = type === "boolean" ? `--${option}` : `--${option}${NO_BREAK}${value}`;
        const text = [own, ...synopsis(option)].join(" ");
        return isRequired ? text : `[${text}]`;
      });
  const words = [...(name ? [name] : []), ...(operands ? [operands] : []), ...synopsis(undefined)].join(" ");
  const start = `  colophon ${command} `.padEnd(INDENT.length);
  return `${start}${wrap(words)}`;
}

/** Breaks the text into lines that follow the indent. */
function wrap(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!;
    if (line !== "" && INDENT.length + line.length + word.length >= MAX_COLUMNS) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join(`\n${INDENT}`).replaceAll(NO_BREAK, " ");
}

/** Words for the codes of Thema, which `colophon subjects` loads into the catalog. Nothing of Thema is bundled. */
import type { Awaitable } from "../../lib/awaitable.ts";

export const LABEL_LANGUAGES = ["eng", "spa"] as const;
export type LabelLanguage = (typeof LABEL_LANGUAGES)[number];

export interface Subject {
  readonly code: string;
  readonly label: string;
  /** The code of the next broader subject; empty at the top. */
  readonly parent: string;
}

/** The subjects of a language, as a store has them. */
export interface StoredSubjects {
  /** Changes with the subjects, and can be part of a validator. */
  readonly digest: string;
  /** A line for each subject, in the order of the file: code, label and parent, with tabs between them. */
  readonly list: string;
}

/** Labels have no control characters (`parseThema`). */
export function storedSubjects(subjects: readonly Subject[]): StoredSubjects {
  const list = subjects.map(({ code, label, parent }) => `${code}\t${label}\t${parent}`).join("\n");
  return { digest: new Bun.CryptoHasher("sha256").update(list).digest("hex").slice(0, 16), list };
}

export type SubjectDigests = { readonly [Language in LabelLanguage]?: string | undefined };

/** The part of a store that has the labels. */
export interface SubjectStore {
  /** Returns the digests of the languages that were loaded. */
  digests(): Awaitable<SubjectDigests>;
  /** Returns the subjects of a language. Is undefined when no file of it was loaded. */
  read(language: LabelLanguage): Awaitable<StoredSubjects | undefined>;
  /** Replaces all subjects of a language. Waits for an import that is running, up to a minute. */
  replace(language: LabelLanguage, subjects: StoredSubjects): Promise<void>;
}

/** SubjectSchemeIdentifier (ONIX list 27) of Thema: categories, and its qualifiers of places, languages, times, … */
const FIRST_SCHEME = 93;
const QUALIFIERS = "123456";

export function isThema(scheme: string | null): boolean {
  return scheme !== null && /^9[3-9]$/.test(scheme);
}

/** Returns the scheme of a Thema code: a qualifier begins with its digit. */
export function schemeOf(code: string): string {
  return String(FIRST_SCHEME + 1 + QUALIFIERS.indexOf(code.slice(0, 1)));
}

export type StoredTables = { readonly [Language in LabelLanguage]?: StoredSubjects | undefined };

/** The subjects of a language, with English labels where it has none. */
export interface SubjectWords {
  /** What the store has of the language and of English, for another thread. */
  readonly stored: StoredTables;
  /** Changes with the labels, and is safe in a validator. Is empty when none were loaded. */
  readonly version: string;
  /** Returns the label of a code, of its scheme of ONIX list 27. Is undefined for other schemes and unknown codes. */
  labelOf(scheme: string | null, code: string): string | undefined;
  find(code: string): Subject | undefined;
  /** Returns the next narrower subjects; of an empty code, those at the top. */
  below(code: string): readonly Subject[];
}

/** Reads the labels of a store, and keeps those that were read last. */
export class SubjectReader {
  readonly #store: Pick<SubjectStore, "digests" | "read">;
  readonly #tables = new Map<LabelLanguage, SubjectTable>();

  constructor(store: Pick<SubjectStore, "digests" | "read">) {
    this.#store = store;
  }

  async in(language: LabelLanguage): Promise<SubjectWords> {
    const digests = await this.#store.digests();
    const own = await this.#table(language, digests);
    return wordsOf(language, own, language === "eng" ? own : await this.#table("eng", digests));
  }

  async #table(language: LabelLanguage, digests: SubjectDigests): Promise<SubjectTable> {
    const known = this.#tables.get(language) ?? SubjectTable.EMPTY;
    if (known.stored?.digest === digests[language]) return known;
    const stored = await this.#store.read(language);
    const table = stored ? await SubjectTable.from(stored) : SubjectTable.EMPTY;
    this.#tables.set(language, table);
    return table;
  }
}

/** The lines that are read in one event-loop tick, within a millisecond. */
const LINES_PER_TICK = 1000;

class SubjectTable {
  readonly byCode = new Map<string, Subject>();
  readonly byParent = new Map<string, Subject[]>();

  private constructor(readonly stored: StoredSubjects | undefined) {}

  static readonly EMPTY = new SubjectTable(undefined);

  static async from(stored: StoredSubjects): Promise<SubjectTable> {
    const table = new SubjectTable(stored);
    const lines = stored.list.split("\n");
    for (let start = 0; start < lines.length; start += LINES_PER_TICK) {
      for (const line of lines.slice(start, start + LINES_PER_TICK)) table.#add(line);
      await new Promise(setImmediate);
    }
    return table;
  }

  #add(line: string): void {
    const [code, label, parent] = line.split("\t") as [string, string, string];
    const subject = { code, label, parent };
    this.byCode.set(code, subject);
    const siblings = this.byParent.get(parent);
    if (siblings) siblings.push(subject);
    else this.byParent.set(parent, [subject]);
  }
}

/** The tree is that of the language; without a file of it, that of English. */
function wordsOf(language: LabelLanguage, own: SubjectTable, english: SubjectTable): SubjectWords {
  const find = (code: string) => own.byCode.get(code) ?? english.byCode.get(code);
  const tree = own === SubjectTable.EMPTY ? english : own;
  const digests = [...new Set([own, english])].map(({ stored }) => stored?.digest ?? "");
  return {
    stored: { eng: english.stored, [language]: own.stored },
    version: digests.join(""),
    labelOf: (scheme, code) => (isThema(scheme) ? find(code.trim().toUpperCase())?.label : undefined),
    find,
    below: (code) => tree.byParent.get(code) ?? [],
  };
}

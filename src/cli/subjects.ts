import { readFileSync, statSync } from "node:fs";
import { LABEL_LANGUAGES, type Subject, storedSubjects } from "../catalog/subjects/subject-labels.ts";
import { languageOfFile, MAX_FILE_BYTES, parseThema } from "../catalog/subjects/thema-file.ts";
import { requireCatalog, storeOptions, withStore } from "./config/store-location.ts";
import { CommandError, EXIT, UsageError } from "./terminal/arguments.ts";
import { defineCommand, oneOf, option, type Settings } from "./terminal/command.ts";
import { formatCount } from "./terminal/format.ts";

const options = {
  ...storeOptions,
  language: option({
    value: "LANGUAGE",
    parse: oneOf(LABEL_LANGUAGES),
    help: "the language of one file whose name does not end in _en.json or _es.json: eng or spa",
  }),
};

export const command = defineCommand(
  ["colophon subjects 20250410_Thema_v1.6_en.json 20250410_Thema_v1.6_es.json"],
  {
    operands: "FILE…",
    options,
    about:
      "loads the words of Thema's subject codes, as EDItEUR publishes them: a JSON file for each language",
    run,
  },
);

/** All files are read before one is loaded: a wrong one changes nothing. */
async function run(
  { storeLocation, language }: Settings<typeof options>,
  paths: readonly string[],
): Promise<number> {
  if (paths.length === 0) throw new UsageError("no file given: EDItEUR publishes Thema as JSON files");
  if (language !== undefined && paths.length > 1)
    throw new UsageError("--language is for one file; load the files one by one");
  const files = paths.map((path) => ({ path, language: language ?? languageOf(path), subjects: read(path) }));
  await requireCatalog(storeLocation, false);
  await withStore(storeLocation, { create: false }, async (store) => {
    for (const { path, language, subjects } of files) {
      await store.subjects.replace(language, storedSubjects(subjects));
      console.log(`${path}: ${formatCount(subjects.length)} subjects in ${NAMES[language]}`);
    }
  });
  return EXIT.ok;
}

const NAMES = { eng: "English", spa: "Spanish" } as const;

function languageOf(path: string) {
  const language = languageOfFile(path);
  if (language) return language;
  throw new UsageError(
    `the name of ${path} does not end in _en.json or _es.json: add --language eng or --language spa; labels are served in these languages`,
  );
}

function read(path: string): readonly Subject[] {
  try {
    if (statSync(path).size > MAX_FILE_BYTES) throw new Error(`it has more than ${MAX_FILE_BYTES >> 20} MB`);
    return parseThema(readFileSync(path, "utf8"));
  } catch (error) {
    throw new CommandError(`${path} cannot be loaded: ${(error as Error).message}`);
  }
}

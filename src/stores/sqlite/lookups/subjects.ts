/** Reads and writes the labels of subjects. */
import type { Database } from "bun:sqlite";
import type {
  LabelLanguage,
  StoredSubjects,
  SubjectDigests,
} from "../../../catalog/subjects/subject-labels.ts";
import type { DatabaseFile } from "../connection.ts";
import { inTransaction } from "../history/import-runs.ts";

export function readSubjectDigests(db: Database): SubjectDigests {
  using statement = db.prepare<{ language: string; digest: string }, []>(
    "SELECT language, digest FROM subject_labels",
  );
  return Object.fromEntries(statement.all().map(({ language, digest }) => [language, digest]));
}

export function readSubjects(db: Database, language: LabelLanguage): StoredSubjects | undefined {
  using statement = db.prepare<StoredSubjects, [string]>(
    "SELECT digest, list FROM subject_labels WHERE language = ?",
  );
  return statement.get(language) ?? undefined;
}

export async function replaceSubjects(
  file: DatabaseFile,
  timeoutMs: number,
  language: LabelLanguage,
  { digest, list }: StoredSubjects,
): Promise<void> {
  const sql = "INSERT OR REPLACE INTO subject_labels (language, digest, list) VALUES (?, ?, ?)";
  await inTransaction(file, timeoutMs, (db) => db.run(sql, [language, digest, list]));
}

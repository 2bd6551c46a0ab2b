/** Reads and writes the labels of subjects. */
import type { StoredSubjects, SubjectStore } from "../../catalog/subjects/subject-labels.ts";
import { WRITE_TIMEOUT_MS } from "./connection.ts";
import type { Pool } from "./session/pool.ts";
import { statement } from "./session/statement.ts";

const DIGESTS = statement("SELECT language, digest FROM colophon.subject_labels");
const LIST = statement("SELECT digest, list FROM colophon.subject_labels WHERE language = $1");
const REPLACE = statement(`INSERT INTO colophon.subject_labels (language, digest, list) VALUES ($1, $2, $3)
  ON CONFLICT (language) DO UPDATE SET digest = excluded.digest, list = excluded.list RETURNING language AS replaced`);

export function subjectStore(pool: Pool): SubjectStore {
  return {
    async digests() {
      const rows = await pool.query<{ language: string; digest: string }>(DIGESTS);
      return Object.fromEntries(rows.map(({ language, digest }) => [language, digest]));
    },
    async read(language) {
      const [row] = await pool.query<StoredSubjects>(LIST, [language]);
      return row && { digest: row.digest, list: row.list };
    },
    async replace(language, { digest, list }) {
      await pool.execute(REPLACE, [language, digest, list], WRITE_TIMEOUT_MS);
    },
  };
}

/** Statements that bring a catalog back to the state of a new one, as a superuser. */

/** Ends all sessions but this one. */
export const END_OTHER_SESSIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** Copies the rows that a new catalog has. */
export const SAVE_INITIAL_ROWS = `CREATE SCHEMA initial;
  DO $$
  DECLARE name TEXT;
  BEGIN
    FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'colophon'::regnamespace AND relkind = 'r' LOOP
      EXECUTE format('CREATE TABLE initial.%1$I AS TABLE colophon.%1$I', name);
    END LOOP;
  END
  $$`;

/**
 * Restores the rows, the sequences, and the statistics that the planner has. TRUNCATE makes new files for a table and its
 * indexes, which takes longer than to delete a few rows. Deleted rows stay in the file until it is large.
 */
export const RESTORE_INITIAL_ROWS = `DO $$
  DECLARE
    name TEXT;
    sequence REGCLASS;
  BEGIN
    FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'colophon'::regnamespace AND relkind = 'r' LOOP
      IF pg_table_size(format('colophon.%I', name)) > 256 * 1024 THEN
        EXECUTE format('TRUNCATE colophon.%I', name);
      ELSE
        EXECUTE format('DELETE FROM colophon.%I', name);
      END IF;
      EXECUTE format('INSERT INTO colophon.%1$I OVERRIDING SYSTEM VALUE TABLE initial.%1$I', name);
    END LOOP;
    FOR sequence IN SELECT oid FROM pg_class WHERE relnamespace = 'colophon'::regnamespace AND relkind = 'S' LOOP
      PERFORM setval(sequence, 1, false);
    END LOOP;
    DELETE FROM pg_statistic WHERE starelid IN (
      SELECT oid FROM pg_class WHERE relnamespace = 'colophon'::regnamespace
    );
    UPDATE pg_class SET relpages = 0, reltuples = -1, relallvisible = 0
    WHERE relnamespace = 'colophon'::regnamespace AND relkind IN ('r', 'i') AND reltuples <> -1;
  END
  $$`;

/** A digest of the tables, columns, indexes, constraints, defaults, triggers and privileges of the catalog. */
export const SCHEMA_DIGEST = `SELECT md5(string_agg(line, E'\\n' ORDER BY line)) AS digest FROM (
    SELECT concat_ws(' ', relname, relkind, relowner, relacl, reloptions, relrowsecurity) AS line FROM pg_class
      WHERE relnamespace = to_regnamespace('colophon')
    UNION ALL
    SELECT concat_ws(' ', relname, attnum, attname, atttypid, attnotnull, attidentity, attacl, pg_get_expr(adbin, adrelid))
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      WHERE relnamespace = to_regnamespace('colophon') AND relkind = 'r'
    UNION ALL
    SELECT concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid) FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
      WHERE relnamespace = to_regnamespace('colophon')
    UNION ALL
    SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = to_regnamespace('colophon')
    UNION ALL
    SELECT pg_get_triggerdef(pg_trigger.oid) FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
      WHERE relnamespace = to_regnamespace('colophon')
    UNION ALL
    SELECT concat_ws(' ', nspname, nspowner, nspacl) FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%'
  ) AS lines`;

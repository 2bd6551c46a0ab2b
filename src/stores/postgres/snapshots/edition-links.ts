/** The links between the editions of works, as a snapshot reads them. */
import { MAX_NODE_LINKS } from "../../../catalog/store.ts";
import { statementWithVersion } from "../session/statement.ts";

/** The links of the nodes in $1. Each node is looked up by the index of its direction. */
export const EDITION_LINKS = statementWithVersion(`
  SELECT link.isbn, link.target FROM unnest($1::text[]) AS node (name), LATERAL (
    (SELECT isbn, target FROM colophon.edition_link
      WHERE isbn = CASE WHEN node.name ~ '^[0-9]{13}$' THEN node.name::bigint END
      ORDER BY target LIMIT ${MAX_NODE_LINKS})
    UNION ALL
    (SELECT isbn, target FROM colophon.edition_link WHERE target = node.name COLLATE "C"
      ORDER BY isbn LIMIT ${MAX_NODE_LINKS})
  ) AS link`);

/** Wrong usage: exit 2, with what was wrong and how it goes. */
export class UsageError extends Error {}

export const EXIT = { applied: 0, refused: 1, usage: 2, rejectedSome: 3 } as const;

export const HELP = `Colophon: ONIX 3 feeds in, a JSON catalog out.

  colophon serve   [--port 8080] [--host 127.0.0.1] [--db WHERE] [--workers 1] [--cache 48] [--sample]
                   [--log requests|errors|none] [--rate 600/60] [--admin-port P] [--admin-host 127.0.0.1]
                   [--share-port]
                   workers are processes; the cache is in MB, of each; --rate: requests/seconds of each token
  colophon import  [--db WHERE] [--replace] [--report FILE.json] FEED…   (- for standard input)
  colophon check   [--db WHERE] [--report FILE.json] FEED…    what import would say, and nothing written
  colophon export  [--db WHERE] [--format ndjson|onix]        the catalog, by ISBN, on standard output
  colophon stats   [--db WHERE] [--json]
  colophon verify  [--db WHERE]             checks the whole store, and names every damaged record
  colophon backup  FILE [--db WHERE]        a checked copy of one moment, while it is in use
  colophon migrate [--db WHERE]             makes the place for a catalog, or brings it up to date
  colophon token   --name NAME [--days 90] [--db WHERE]       a token, on standard output
  colophon token   list [--json] [--db WHERE]
  colophon token   revoke JTI [--db WHERE]

WHERE is a file (default data/catalog.db) or a postgres:// URL.
Environment: COLOPHON_DB, PORT, HOST, COLOPHON_JWT_SECRET, COLOPHON_JWT_KEYS, COLOPHON_JWT_ISSUER,
COLOPHON_JWT_AUDIENCE, COLOPHON_CORS_ORIGIN. The README has the rest.
`;

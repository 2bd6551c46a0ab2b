/** Wrong usage: exit 2, with what was wrong and how it goes. */
export class UsageError extends Error {}

/** What a person has to mend before the command can do its work: exit 1, in one line. */
export class CommandError extends Error {}

export const EXIT = { applied: 0, refused: 1, usage: 2, rejectedSome: 3 } as const;

const USAGE: Readonly<Record<string, string>> = {
  serve: `
  colophon serve   [--port 8080] [--host 127.0.0.1] [--db WHERE] [--workers 1] [--cache 48] [--sample]
                   [--log requests|errors|none] [--rate 600/60] [--admin-port P] [--admin-host 127.0.0.1]
                   [--share-port]
                   workers are processes; the cache is in MB, of each; --rate is requests/seconds of each token,
                   counted by each worker; --sample fills an empty catalog`,
  import: `
  colophon import  [--db WHERE] [--replace] [--report FILE.json] FEED…   (- for standard input)`,
  check: `
  colophon check   [--db WHERE] [--report FILE.json] FEED…    what import would say, and nothing written`,
  export: `
  colophon export  [--db WHERE] [--format ndjson|onix]        the catalog, by ISBN, on standard output`,
  stats: `
  colophon stats   [--db WHERE] [--json]    how many records and imprints, and the last import`,
  verify: `
  colophon verify  [--db WHERE]             checks the whole store, and names every damaged record`,
  backup: `
  colophon backup  FILE [--db WHERE]        a checked copy of one moment, while it is in use`,
  migrate: `
  colophon migrate [--db WHERE]             makes the place for a catalog, or brings it up to date`,
  token: `
  colophon token   --name NAME [--days 90] [--db WHERE]       a token, on standard output
  colophon token   list [--json] [--db WHERE]
  colophon token   revoke JTI [--db WHERE]`,
};

export const HELP = `Colophon: ONIX 3 feeds in, a JSON catalog out.
${Object.values(USAGE).join("")}
  colophon --version

WHERE is a file (default data/catalog.db) or a postgres:// URL.
Exit 0: all applied. 3: applied, some products rejected. 1: refused, nothing changed. 2: wrong usage.
Environment: COLOPHON_DB, PORT, HOST, COLOPHON_JWT_SECRET, COLOPHON_JWT_KEYS, COLOPHON_JWT_ISSUER,
COLOPHON_JWT_AUDIENCE, COLOPHON_CORS_ORIGIN. The README has the rest.
`;

/** How a command goes; all of them, where there is none of that name. */
export function usageOf(name: string | undefined): string {
  if (name === undefined || !Object.hasOwn(USAGE, name)) return HELP;
  return `${USAGE[name]!.slice(1)}\n\n"colophon --help" has the rest.`;
}

/** The help text. */
const USAGE: Readonly<Record<string, string>> = {
  serve: `
  colophon serve   [--port 8080] [--host 127.0.0.1] [--db STORE] [--workers 1] [--cache 48] [--memory 128]
                   [--sample] [--create] [--new-registry] [--log requests|errors|none] [--rate 600/60]
                   [--connections-per-address 1000] [--trusted-proxy ADDRESS,…] [--admin-port P]
                   [--admin-host 127.0.0.1] [--admin-name NAME,…] [--share-port] [--drain 0]
                   --workers: number of processes; --cache, --memory: MB per process; --rate: requests/seconds per
                   token; --trusted-proxy: proxies whose X-Forwarded-For is believed; --admin-name: DNS names of the
                   admin port; --sample: fills an empty catalog; --create: makes an empty one where there is none;
                   --new-registry: starts anew when the token registry is lost; --drain: seconds from SIGTERM to the
                   end of accepting connections`,
  import: `
  colophon import  [--db STORE] [--replace [--allow-removals]] [--in-order] [--report FILE.json]
                   [--keep-deletions 90] FEED…
                   FEED is a file, or - for standard input; --replace: removes the books that no FEED has, at most
                   half of the catalog without --allow-removals; --in-order: refuses a message that is older than
                   the last one of its sender; --keep-deletions: days for which /api/changes lists deleted books`,
  check: `
  colophon check   [--db STORE] [--replace [--allow-removals]] [--in-order] [--report FILE.json] [--diff]
                   [--html FILE.html] FEED…
                   reports what import would do and how complete the feeds are, writes nothing;
                   --diff: prints every change as NDJSON; --html: a page with scores, charts and findings`,
  export: `
  colophon export  [--db STORE] [--format ndjson|json|csv|xml|onix] [--view record|summary] [--short-tags]
                   [--imprint SLUG] [--language CODE] [--from DAY] [--to DAY] [--isbn ISBN,…]
                   prints the catalog, in order of ISBN; csv: summaries; xml: ONIX 3.1, as the API; onix: the
                   products as they were sent; --from, --to: days of publication; all filters hold together`,
  stats: `
  colophon stats   [--db STORE] [--json]    number of records and imprints, outcome of the last import`,
  verify: `
  colophon verify  [--db STORE]             checks the whole store and lists every damaged record`,
  backup: `
  colophon backup  FILE [--db STORE]        writes a checked copy while the store is in use`,
  compact: `
  colophon compact [--db STORE]             gives the space of removed books back, while the store is in use`,
  migrate: `
  colophon migrate [--db STORE]             creates the store, or updates it to the current format`,
  token: `
  colophon token   --name NAME [--days 90] [--db STORE]       prints a new token
  colophon token   list [--json] [--db STORE]
  colophon token   revoke JTI [--db STORE]                    JTI: of any token, also of an identity provider
                   [--create] [--new-registry]                as for serve`,
};

export const HELP = `Colophon: ONIX 3 feeds in, a JSON catalog out.
${Object.values(USAGE).join("")}
  colophon --version

STORE is a file (default data/catalog.db) or a postgres:// URL.
Exit 0: success. 3: imported, but some products were rejected. 1: failed, nothing changed. 2: wrong usage.
4: outcome unknown, because the connection was lost during the commit; import again.
Environment: COLOPHON_DB, PORT, HOST, COLOPHON_JWT_SECRET, COLOPHON_JWT_KEYS, COLOPHON_JWT_ISSUER,
COLOPHON_JWT_AUDIENCE, COLOPHON_CORS_ORIGIN. See the README for the rest.
`;

/** Returns the usage of one command, or the whole help text when there is no such command. */
export function usageFor(command: string | undefined): string {
  if (command === undefined || !Object.hasOwn(USAGE, command)) return HELP;
  return `${USAGE[command]!.slice(1)}\n\nSee "colophon --help" for the other commands.`;
}

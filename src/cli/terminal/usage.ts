/** The help text. */
const USAGE: Readonly<Record<string, string>> = {
  serve: `
  colophon serve   [--port 8080] [--host 127.0.0.1] [--db STORE] [--workers 1] [--cache 40] [--memory 128]
                   [--sample] [--create] [--new-registry] [--log requests|errors|none] [--log-file FILE] [--rate 600/60]
                   [--connections-per-address 1000] [--trusted-proxy ADDRESS,…] [--admin-port P]
                   [--admin-host 127.0.0.1] [--admin-name NAME,…] [--share-port] [--drain 0]
                   [--watch DIR [--settle 10] [--on-import COMMAND] [--in-order] [--keep-deletions 90]]
                   --workers: number of processes; --cache, --memory: MB per process; --rate: requests/seconds per
                   token; --trusted-proxy: proxies whose X-Forwarded-For counts; --admin-name: DNS names of the
                   admin port; --sample: fills an empty catalog; --create: creates an empty catalog if there is none;
                   --new-registry: replaces a lost token registry by an empty one; --drain: seconds after SIGTERM in
                   which connections are still accepted; --log-file: instead of standard error, reopened on SIGHUP;
                   --watch: imports the feeds that arrive in DIR, like "colophon watch"`,
  health: `
  colophon health  [--admin-port P] [--admin-host 127.0.0.1] [--live]
                   exits with 0 if the running service is ready for requests; with --live, if it runs`,
  import: `
  colophon import  [--db STORE] [--replace [--allow-removals]] [--in-order] [--report FILE.json]
                   [--keep-deletions 90] FEED…
                   FEED is a file, or - for standard input; --replace: removes the books that no FEED has;
                   --allow-removals: even more than half of the catalog; --in-order: refuses a message that is older
                   than the last one of its sender; --keep-deletions: days for which /api/changes lists deletions`,
  watch: `
  colophon watch   DIR [--db STORE] [--once] [--settle 10] [--on-import COMMAND] [--in-order] [--keep-deletions 90]
                   imports the feeds that arrive in DIR and its subfolders, and moves them to done/ or refused/ with
                   their report; --once: imports what is there and ends, with the exit codes of import; --settle:
                   seconds without a change until a file is complete; --on-import: runs COMMAND after each feed, with
                   COLOPHON_OUTCOME, COLOPHON_FEED and COLOPHON_REPORT in its environment`,
  check: `
  colophon check   [--db STORE] [--replace [--allow-removals]] [--in-order] [--report FILE.json] [--diff]
                   [--html FILE.html] FEED…
                   reports what import would do and how complete the feeds are, writes nothing;
                   --diff: prints every change as NDJSON; --html: a page with scores, charts and complaints`,
  export: `
  colophon export  [--db STORE] [--format ndjson|json|csv|xml|onix] [--view record|summary] [--short-tags]
                   [--imprint SLUG] [--language CODE] [--from DAY] [--to DAY] [--isbn ISBN,…] [--since CURSOR]
                   prints the catalog in order of ISBN; csv: summaries; xml: ONIX 3.1, like the API; onix: the
                   products as they were sent; --from, --to: days of publication; --since: books changed since
                   CURSOR, which the last export printed to standard error; 0 for all. Filters can be combined.`,
  stats: `
  colophon stats   [--db STORE] [--json]    numbers of records and imprints, and the last import`,
  history: `
  colophon history [--db STORE] [--limit 20] [--json]         lists the last imports, newest first
  colophon history show NUMBER [--db STORE] [--json]          shows one import: feeds with their digests, revisions
                   and complaints. The last 10,000 imports are kept.`,
  verify: `
  colophon verify  [--db STORE]             checks the whole store and lists every damaged record`,
  backup: `
  colophon backup  FILE [--db STORE]        writes a verified copy while the store is in use`,
  compact: `
  colophon compact [--db STORE]             gives back the space of removed books, while the store is in use`,
  migrate: `
  colophon migrate [--db STORE]             creates the store, or updates it to the current format`,
  token: `
  colophon token   --name NAME [--days 90] [--db STORE]       prints a new token
  colophon token   list [--json] [--db STORE]
  colophon token   revoke JTI [--db STORE]                    JTI: the id of any token, or the beginning of an id in
                   the list
                   [--create] [--new-registry]                as for serve`,
};

/** What operators type, by command. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  serve: [
    "colophon serve --sample",
    "colophon serve --host 0.0.0.0 --db /var/lib/colophon/catalog.db --workers 2 --admin-port 9090",
    "COLOPHON_DB=postgres://colophon@db/books COLOPHON_WORKERS=2 colophon serve",
  ],
  health: ["colophon health --admin-port 9090"],
  import: [
    "colophon import feed.xml",
    "colophon import --replace --report report.json /feeds/2026-11-*.xml.gz",
    "curl -s https://publisher.example/feed.xml | colophon import -",
  ],
  watch: [
    "colophon watch /srv/feeds",
    "colophon watch /srv/feeds --db /var/lib/colophon/catalog.db --on-import /usr/local/bin/feed-arrived",
    "COLOPHON_WATCH=/srv/feeds COLOPHON_SETTLE=60 colophon watch --once",
  ],
  check: ["colophon check feed.xml", "colophon check --db data/catalog.db --html report.html feed.xml"],
  export: ["colophon export > catalog.ndjson", "colophon export --format onix | gzip > catalog.xml.gz"],
  stats: ["colophon stats", "colophon stats --json"],
  history: ["colophon history", "colophon history --limit 100 --json", "colophon history show 17"],
  verify: ["colophon verify --db /backups/catalog.db"],
  backup: ["colophon backup /backups/catalog-2026-11-16.db"],
  compact: ["colophon compact"],
  migrate: ["colophon migrate --db postgres://owner@db/books"],
  token: ['colophon token --name "Bookshop" --days 365', "colophon token list", "colophon token revoke 4f0c"],
};

const HELP = `Colophon: ONIX 3 feeds in, a JSON catalog out.
${Object.values(USAGE).join("")}
  colophon --version

STORE is a file (default data/catalog.db) or a postgres:// URL.
Exit 0: success. 3: imported, but some products were rejected. 1: failed, nothing changed. 2: wrong usage.
4: outcome unknown, because the connection was lost during the commit; import again.
Environment: COLOPHON_DB, PORT, HOST, COLOPHON_JWT_SECRET, COLOPHON_JWT_KEYS, COLOPHON_JWT_ISSUER,
COLOPHON_JWT_AUDIENCE, COLOPHON_CORS_ORIGIN. Options of serve and watch have variables too, such as
COLOPHON_ADMIN_PORT for --admin-port, and so do --in-order and --keep-deletions of import.
"colophon COMMAND --help" shows one command with examples.
`;

/** Returns the help of one command with examples, or the whole help text when there is no such command. */
export function helpFor(command: string | undefined): string {
  if (command === undefined || !Object.hasOwn(USAGE, command)) return HELP;
  const examples = EXAMPLES[command]!.map((line) => `  ${line}`).join("\n");
  return `${USAGE[command]!.slice(1)}\n\nExamples:\n${examples}\n\nSee "colophon --help" for the other commands.`;
}

/** Returns the usage of one command, or the names of all when there is no such command. */
export function usageFor(command: string | undefined): string {
  if (command === undefined || !Object.hasOwn(USAGE, command)) {
    return `Commands: ${Object.keys(USAGE).join(", ")}. See "colophon --help".`;
  }
  return `${USAGE[command]!.slice(1)}\n\nSee "colophon --help" for the other commands.`;
}

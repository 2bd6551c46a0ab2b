/**
 * `npm run bench`: one hot record from Colophon, beside nginx with the same bytes as a static file, on one core each
 * (the client on another), in turn. The figure is the ratio; the rates are this machine's.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serving } from "../test/process.ts";

const ISBN = "9789999938228";
const ROUNDS = Number(process.argv[2] ?? 3);
const SECONDS = Number(process.argv[3] ?? 5);

for (const tool of ["nginx", "wrk", "taskset"]) {
  if (!Bun.which(tool)) {
    console.error(`${tool} is missing: apt-get install nginx wrk util-linux`);
    process.exit(1);
  }
}

const folder = mkdtempSync(join(tmpdir(), "colophon-bench-"));
// Started by root, nginx reads the files as somebody else.
chmodSync(folder, 0o755);
const colophon = await serving(["--sample", "--db", join(folder, "catalog.db")]);
pin(colophon.process.pid, 0);
const header = `Authorization: Bearer ${colophon.token}`;
const [name, value] = header.split(": ") as [string, string];
const response = await fetch(`${colophon.url}/api/isbn/${ISBN}`, { headers: { [name]: value } });
const body = await response.bytes();

const files = join(folder, "files/api/isbn");
mkdirSync(files, { recursive: true });
writeFileSync(join(files, ISBN), body);
const port = 20_000 + (process.pid % 20_000);
writeFileSync(
  join(folder, "nginx.conf"),
  `daemon off; pid ${folder}/nginx.pid; error_log stderr; worker_processes 1; events { worker_connections 1024; }
   http { access_log off; default_type application/json; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
   open_file_cache max=10000; server { listen 127.0.0.1:${port}; root ${folder}/files; } }`,
);
const nginx = Bun.spawn(["taskset", "-c", "0", "nginx", "-p", folder, "-c", join(folder, "nginx.conf")], {
  stdout: "ignore",
  stderr: "ignore",
});
await Bun.sleep(500);

try {
  console.log(`one record of ${body.length} bytes, 32 connections, ${ROUNDS} rounds of ${SECONDS} s each\n`);
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const theirs = await rate(`http://127.0.0.1:${port}/api/isbn/${ISBN}`);
    const ours = await rate(`${colophon.url}/api/isbn/${ISBN}`);
    ratios.push(ours / theirs);
    console.log(
      `round ${round}: nginx ${Math.round(theirs)}/s, Colophon ${Math.round(ours)}/s, ratio ${(ours / theirs).toFixed(2)}`,
    );
  }
  const middle = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)]!;
  console.log(`\nColophon beside nginx: ${middle.toFixed(2)} (the middle of ${ROUNDS})`);
} finally {
  nginx.kill();
  await nginx.exited;
  await colophon.stop();
  rmSync(folder, { recursive: true });
}

async function rate(url: string): Promise<number> {
  const command = ["taskset", "-c", "1", "wrk", "-t1", "-c32", `-d${SECONDS}s`, "-H", header, url];
  const out = await new Response(Bun.spawn(command, { stdout: "pipe" }).stdout).text();
  if (/Non-2xx/.test(out)) throw new Error(out);
  return Number(/Requests\/sec:\s+([0-9.]+)/.exec(out)![1]);
}

function pin(pid: number, core: number): void {
  Bun.spawnSync(["taskset", "-a", "-cp", String(core), String(pid)]);
}

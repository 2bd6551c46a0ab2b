/** What the real program lets others see: in its answers, its output, the process list, its files, and the network. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { message, product } from "../src/onix/testing/message.ts";
import { colophon, temporaryFolder } from "./process.ts";

const COMMAND = join(import.meta.dir, "../bin/colophon");
const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);

/** Counts who calls. Nobody must: it stands for every host that a token or a feed can name. */
let calls = 0;
let trap: Server;
let trapUrl: string;

beforeAll(async () => {
  trap = createServer((socket) => {
    calls++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve));
  trapUrl = `http://127.0.0.1:${(trap.address() as { port: number }).port}`;
});

afterAll(() => {
  for (const child of children) child.kill();
  trap.close();
  folder.remove();
});

interface Started {
  readonly url: string;
  readonly pid: number;
  /** All that it has written, once it has ended. */
  end(): Promise<string>;
}

/** Ended here where a test has failed before it came to that. */
const children: Bun.Subprocess[] = [];
let started = 0;

/** Its output goes to files, so that every byte of it is there to be looked at. */
async function start(env: Record<string, string>): Promise<Started> {
  const [out, err] = [at(`out-${++started}`), at(`err-${started}`)];
  const child = Bun.spawn([COMMAND, "serve", "--port", "0", "--db", at("catalog.db")], {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdin: "ignore",
    stdout: Bun.file(out),
    stderr: Bun.file(err),
  });
  children.push(child);
  let url: string | undefined;
  while (url === undefined) {
    if (child.exitCode !== null) throw new Error(`colophon serve has ended: ${readFileSync(err, "utf8")}`);
    await Bun.sleep(20);
    url = /http:\S+(?=\/openapi\.html)/.exec(readFileSync(out, "utf8"))?.[0];
  }
  return {
    url,
    pid: child.pid,
    async end() {
      child.kill("SIGTERM");
      await child.exited;
      return readFileSync(out, "utf8") + readFileSync(err, "utf8");
    },
  };
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const soon = Math.floor(Date.now() / 1000) + 3600;

describe("with a shared secret", () => {
  const secret = `kept-from-everyone-${randomBytes(24).toString("hex")}`;
  const token = (claims: object, header: object = {}) => {
    const input = `${encode({ alg: "HS256", ...header })}.${encode({ exp: soon, sub: "Shop", ...claims })}`;
    return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
  };
  const good = token({ jti: "seen" });
  let server: Started;
  let answers: Response[];

  beforeAll(async () => {
    server = await start({ COLOPHON_JWT_SECRET: secret });
    const ask = (path: string, authorization?: string, method = "GET") =>
      fetch(server.url + path, { method, headers: authorization ? { Authorization: authorization } : {} });
    answers = [
      await ask("/api/skus", `Bearer ${good}`),
      await ask("/api/skus", `Bearer ${good}`, "HEAD"),
      await ask("/api/imprints", `Bearer ${good}`),
      await ask("/api/isbn/9780000000002", `Bearer ${good}`),
      await ask("/api/isbn/none", `Bearer ${good}`),
      await ask(`/api/news?date=${good}`, `Bearer ${good}`),
      await ask(`/api/skus?access_token=${good}`),
      await ask("/api/skus", `Bearer ${token({ exp: 1 })}`),
      await ask("/api/skus", `Bearer ${good.slice(0, -2)}`),
      await ask("/api/skus", `Basic ${good}`),
      await ask("/api/skus"),
      await ask("/api/skus", `Bearer ${good}`, "POST"),
      await ask("/nothing"),
      await ask("/openapi.json"),
      await ask("/openapi.html"),
      await ask("/openapi/page.js"),
    ];
  });

  test("every kind of answer was asked for", () => {
    expect(answers.map(({ status }) => status)).toEqual([
      200, 200, 200, 404, 400, 400, 401, 401, 401, 401, 401, 405, 404, 200, 200, 200,
    ]);
  });

  test("every answer says that its type is not to be guessed, and none says what it runs on", () => {
    for (const { url, headers } of answers) {
      expect([url, headers.get("x-content-type-options")]).toEqual([url, "nosniff"]);
      for (const name of ["server", "x-powered-by", "set-cookie"])
        expect([url, headers.has(name)]).toEqual([url, false]);
    }
  });

  test("no answer of the API may be kept by a cache that others share, and no error by any", () => {
    for (const { url, status, headers } of answers) {
      const rule = headers.get("cache-control");
      if (status >= 400) expect([url, rule]).toEqual([url, "no-store"]);
      else if (url.includes("/api/")) expect([url, rule]).toEqual([url, "private, no-cache"]);
    }
  });

  test("pages have a policy that lets nothing in from outside, and no frame around them", () => {
    for (const { url, headers } of answers.filter(({ url }) => /\/openapi[./](html|page)/.test(url))) {
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect([url, /unsafe|https?:|\*/.test(policy)]).toEqual([url, false]);
    }
  });

  test("neither secret nor token is in an answer", async () => {
    for (const answer of answers) {
      const text = JSON.stringify([...answer.headers]) + (await answer.text());
      expect(text).not.toContain(secret);
      // A wrong date is said to be wrong, not said again.
      expect(text).not.toContain(good.split(".")[2]!);
    }
  });

  test.skipIf(process.platform !== "linux")(
    "the process list does not have the secret (skipped where there is no /proc)",
    () => {
      expect(readFileSync(`/proc/${server.pid}/cmdline`, "utf8")).toContain("serve");
      expect(readFileSync(`/proc/${server.pid}/cmdline`, "utf8")).not.toContain(secret);
    },
  );

  test("neither secret nor token is in what it prints and logs", async () => {
    const printed = await server.end();
    expect(printed).toContain("openapi.html");
    expect(printed).not.toContain(secret);
    for (const part of [...good.split(".").slice(1), good]) expect(printed).not.toContain(part);
  });
});

test("the files that vouch for tokens are for their owner alone, whatever the umask", async () => {
  const db = at("modes/catalog.db");
  const before = process.umask(0);
  try {
    await colophon(["token", "--name", "Shop", "--db", db]);
  } finally {
    process.umask(before);
  }
  const files = readdirSync(at("modes")).filter((name) => /secret|tokens/.test(name));
  expect(files).toContain("catalog.db.secret");
  expect(files).toContain("catalog.db.tokens");
  for (const name of files) {
    expect([name, (statSync(join(at("modes"), name)).mode & 0o777).toString(8)]).toEqual([name, "600"]);
  }
});

describe("no call goes out", () => {
  test("for a key that a token names, by jku, x5u or kid", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const jwk = { ...publicKey.export({ format: "jwk" }), kid: "ours" };
    writeFileSync(at("keys.json"), JSON.stringify({ keys: [jwk] }));
    const server = await start({ COLOPHON_JWT_KEYS: at("keys.json") });
    const ask = async (header: object) => {
      const input = `${encode({ alg: "ES256", ...header })}.${encode({ exp: soon })}`;
      const signature = sign("sha256", Buffer.from(input), { key: privateKey, dsaEncoding: "ieee-p1363" });
      const headers = { Authorization: `Bearer ${input}.${signature.toString("base64url")}` };
      return (await fetch(`${server.url}/api/skus`, { headers })).status;
    };
    expect(await ask({ kid: "ours" })).toBe(200);
    for (const header of [
      { jku: trapUrl },
      { jku: trapUrl, kid: "ours" },
      { x5u: trapUrl, kid: "ours" },
      { kid: trapUrl },
      { kid: "new" },
    ]) {
      expect(await ask(header)).toBe(401);
    }
    await server.end();
    expect(calls).toBe(0);
  });

  test("for a DTD, an entity, a schema or a style sheet that a feed names", async () => {
    const feed = at("calling.xml");
    const good = message(product());
    const doctype = `<!DOCTYPE ONIXMessage PUBLIC "x" "${trapUrl}/x.dtd">`;
    for (const xml of [
      good.replace("<ONIXMessage", `${doctype}<ONIXMessage`),
      good.replace("<ONIXMessage", `<?xml-stylesheet href="${trapUrl}/x.xsl"?><ONIXMessage`),
      good.replace(
        "<ONIXMessage ",
        `<ONIXMessage xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="x ${trapUrl}/x.xsd" `,
      ),
      good
        .replace("<ONIXMessage", `<!DOCTYPE x [<!ENTITY e SYSTEM "${trapUrl}/e">%p;]><ONIXMessage`)
        .replace("A title", "&e;"),
    ]) {
      writeFileSync(feed, xml);
      const { code } = await colophon(["import", "--db", at("calling.db"), feed]);
      expect([0, 1]).toContain(code);
    }
    expect(calls).toBe(0);
  });

  test("and whoever had called would have been counted", async () => {
    await fetch(trapUrl).catch(() => {});
    expect(calls).toBe(1);
  });
});

test("a password in the address of a database is in no message", async () => {
  const { code, stdout, stderr } = await colophon(["stats"], {
    env: { COLOPHON_DB: "postgres://reader:hunter2@127.0.0.1:1/books" },
  });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("127.0.0.1:1/books");
  expect(stderr).not.toContain("hunter2");
});

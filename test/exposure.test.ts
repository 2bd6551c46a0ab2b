/** What the real program reveals: in responses, output, the process list, files, and connections to other hosts. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { message, product } from "../src/onix/testing/message.ts";
import { colophon as inProcess } from "./in-process.ts";
import { COMMAND, colophon, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
const pathOf = (name: string) => join(folder, name);

/** Stands for every host that a token or a feed can name, and counts its connections. There must be none. */
let listener: Server;
let listenerUrl: string;
let connections = 0;

beforeAll(async () => {
  listener = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  listenerUrl = `http://127.0.0.1:${(listener.address() as { port: number }).port}`;
});

afterAll(() => {
  for (const child of children) child.kill();
  listener.close();
});

interface RunningServer {
  readonly url: string;
  readonly pid: number;
  /** Ends the server and returns all of its output. */
  end(): Promise<string>;
}

/** The servers, so that those of failed tests are ended too. */
const children: Bun.Subprocess[] = [];
let started = 0;

/** Starts a server whose output goes to files, so that every byte of it can be checked. */
async function start(env: Record<string, string>): Promise<RunningServer> {
  const [out, err] = [pathOf(`out-${++started}`), pathOf(`err-${started}`)];
  const child = Bun.spawn([COMMAND, "serve", "--port", "0", "--create", "--db", pathOf("catalog.db")], {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdin: "ignore",
    stdout: Bun.file(out),
    stderr: Bun.file(err),
  });
  children.push(child);
  let url = "";
  await waitFor("colophon serve prints its URL", () => {
    if (child.exitCode !== null) throw new Error(`colophon serve has ended: ${readFileSync(err, "utf8")}`);
    url = /http:\S+(?=\/openapi\.html)/.exec(readFileSync(out, "utf8"))?.[0] ?? "";
    return url !== "";
  });
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
  const secret = `known-to-no-client-${randomBytes(24).toString("hex")}`;
  const token = (claims: object, header: object = {}) => {
    const input = `${encode({ alg: "HS256", ...header })}.${encode({ exp: soon, sub: "Shop", ...claims })}`;
    return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
  };
  const good = token({ jti: "seen" });
  let server: RunningServer;
  let responses: Response[];

  beforeAll(async () => {
    server = await start({ COLOPHON_JWT_SECRET: secret });
    const request = (path: string, authorization?: string, method = "GET") =>
      fetch(server.url + path, { method, headers: authorization ? { Authorization: authorization } : {} });
    responses = [
      await request("/api/skus", `Bearer ${good}`),
      await request("/api/skus", `Bearer ${good}`, "HEAD"),
      await request("/api/imprints", `Bearer ${good}`),
      await request("/api/isbn/9780000000002", `Bearer ${good}`),
      await request("/api/isbn/none", `Bearer ${good}`),
      await request(`/api/news?date=${good}`, `Bearer ${good}`),
      await request(`/api/skus?access_token=${good}`),
      await request("/api/skus", `Bearer ${token({ exp: 1 })}`),
      await request("/api/skus", `Bearer ${good.slice(0, -2)}`),
      await request("/api/skus", `Basic ${good}`),
      await request("/api/skus"),
      await request("/api/skus", `Bearer ${good}`, "POST"),
      await request("/nothing"),
      await request("/openapi.json"),
      await request("/openapi.html"),
      await request("/page/openapi.js"),
    ];
  });

  test("the requests get every kind of response", () => {
    expect(responses.map(({ status }) => status)).toEqual([
      200, 200, 200, 404, 400, 400, 401, 401, 401, 401, 401, 405, 404, 200, 200, 200,
    ]);
  });

  test("every response has nosniff and none names the server software or sets a cookie", () => {
    for (const { url, headers } of responses) {
      expect([url, headers.get("x-content-type-options")]).toEqual([url, "nosniff"]);
      for (const name of ["server", "x-powered-by", "set-cookie"])
        expect([url, headers.has(name)]).toEqual([url, false]);
    }
  });

  test("API responses are private, and errors must not be stored by any cache", () => {
    for (const { url, status, headers } of responses) {
      const policy = headers.get("cache-control");
      if (status >= 400) expect([url, policy]).toEqual([url, "no-store"]);
      else if (url.includes("/api/")) expect([url, policy]).toEqual([url, "private, no-cache"]);
    }
  });

  test("pages have a content security policy without other origins or frames", () => {
    for (const { url, headers } of responses.filter(({ url }) => /\/openapi[./](html|page)/.test(url))) {
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect([url, /unsafe|https?:|\*/.test(policy)]).toEqual([url, false]);
    }
  });

  test("no response contains the secret or a token", async () => {
    for (const response of responses) {
      const text = JSON.stringify([...response.headers]) + (await response.text());
      expect(text).not.toContain(secret);
      // A message about an invalid date does not repeat it.
      expect(text).not.toContain(good.split(".")[2]!);
    }
  });

  test.skipIf(process.platform !== "linux")(
    "the process list does not contain the secret (skipped without /proc)",
    () => {
      expect(readFileSync(`/proc/${server.pid}/cmdline`, "utf8")).toContain("serve");
      expect(readFileSync(`/proc/${server.pid}/cmdline`, "utf8")).not.toContain(secret);
    },
  );

  test("output and log contain neither the secret nor a token", async () => {
    const printed = await server.end();
    expect(printed).toContain("openapi.html");
    expect(printed).not.toContain(secret);
    for (const part of [...good.split(".").slice(1), good]) expect(printed).not.toContain(part);
  });
});

test("the secret and the token registry are readable only by their owner, whatever the umask", async () => {
  const db = pathOf("modes/catalog.db");
  const before = process.umask(0);
  try {
    await colophon(["token", "--name", "Shop", "--create", "--db", db]);
  } finally {
    process.umask(before);
  }
  const files = readdirSync(pathOf("modes")).filter((name) => /secret|tokens/.test(name));
  expect(files).toContain("catalog.db.secret");
  expect(files).toContain("catalog.db.tokens");
  for (const name of files) {
    expect([name, (statSync(join(pathOf("modes"), name)).mode & 0o777).toString(8)]).toEqual([name, "600"]);
  }
});

describe("Colophon opens no connection", () => {
  test("to a key URL in a token (jku, x5u or kid)", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const jwk = { ...publicKey.export({ format: "jwk" }), kid: "ours" };
    writeFileSync(pathOf("keys.json"), JSON.stringify({ keys: [jwk] }));
    const server = await start({ COLOPHON_JWT_KEYS: pathOf("keys.json") });
    const request = async (header: object) => {
      const input = `${encode({ alg: "ES256", ...header })}.${encode({ exp: soon })}`;
      const signature = sign("sha256", Buffer.from(input), { key: privateKey, dsaEncoding: "ieee-p1363" });
      const headers = { Authorization: `Bearer ${input}.${signature.toString("base64url")}` };
      return (await fetch(`${server.url}/api/skus`, { headers })).status;
    };
    expect(await request({ kid: "ours" })).toBe(200);
    for (const header of [
      { jku: listenerUrl },
      { jku: listenerUrl, kid: "ours" },
      { x5u: listenerUrl, kid: "ours" },
      { kid: listenerUrl },
      { kid: "new" },
    ]) {
      expect(await request(header)).toBe(401);
    }
    await server.end();
    expect(connections).toBe(0);
  });

  test("to a DTD, an entity, a schema or a style sheet in a feed", async () => {
    const feed = pathOf("references.xml");
    const good = message(product());
    const doctype = `<!DOCTYPE ONIXMessage PUBLIC "x" "${listenerUrl}/x.dtd">`;
    for (const xml of [
      good.replace("<ONIXMessage", `${doctype}<ONIXMessage`),
      good.replace("<ONIXMessage", `<?xml-stylesheet href="${listenerUrl}/x.xsl"?><ONIXMessage`),
      good.replace(
        "<ONIXMessage ",
        `<ONIXMessage xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="x ${listenerUrl}/x.xsd" `,
      ),
      good
        .replace("<ONIXMessage", `<!DOCTYPE x [<!ENTITY e SYSTEM "${listenerUrl}/e">%p;]><ONIXMessage`)
        .replace("A title", "&e;"),
    ]) {
      writeFileSync(feed, xml);
      const { code } = await inProcess(["import", "--db", pathOf("references.db"), feed]);
      expect([0, 1]).toContain(code);
    }
    expect(connections).toBe(0);
  });

  test("and the listener of these tests counts connections", async () => {
    await fetch(listenerUrl).catch(() => {});
    expect(connections).toBe(1);
  });
});

test("no message contains the password of a database URL", async () => {
  const { code, stdout, stderr } = await colophon(["stats"], {
    env: { COLOPHON_DB: "postgres://reader:hunter2@127.0.0.1:1/books" },
  });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("127.0.0.1:1/books");
  expect(stderr).not.toContain("hunter2");
});

/**
 * compose.yaml: docker-compose parses it, and the services of Colophon run as processes, with the commands and the
 * environment that it gives them, on a primary and a replica of PostgreSQL.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isProgramMissing } from "../src/lib/testing/requirements.ts";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { message, product } from "../src/onix/testing/message.ts";
import { type PostgresServer, startServer, startStandby } from "../src/stores/postgres/testing/server.ts";
import { runStatements } from "../src/stores/postgres/testing/sql.ts";
import { COMMAND, colophon, fetchAs, resultOf, temporaryFolder } from "./process.ts";

const ROOT = join(import.meta.dir, "..");
const ISBN = "9788437604947";

interface Service {
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
}

describe.skipIf(isProgramMissing("docker-compose"))("compose.yaml (skipped without docker-compose)", () => {
  const folder = temporaryFolder();
  const feeds = join(folder, "feeds");
  mkdirSync(feeds);
  let services: Readonly<Record<string, Service>> = {};
  let primary: PostgresServer;
  let replica: PostgresServer | undefined;

  beforeAll(async () => {
    const files = ["--env-file", "examples/compose/environment", "-f", "compose.yaml"];
    const config = Bun.spawnSync(["docker-compose", ...files, "config"], { cwd: ROOT });
    expect([config.exitCode, String(config.stderr)]).toEqual([0, ""]);
    ({ services } = Bun.YAML.parse(String(config.stdout)) as { services: typeof services });
    primary = await startServer();
    await runStatements(primary.url, "CREATE ROLE colophon LOGIN", "CREATE DATABASE books OWNER colophon");
  });

  afterAll(async () => {
    await replica?.[Symbol.asyncDispose]();
    await primary[Symbol.asyncDispose]();
  });

  /** The environment of a service, with the addresses of this test. */
  function environmentOf(name: string): Record<string, string> {
    const here = (value: string) =>
      value
        .replace("@primary/", `@127.0.0.1:${primary.port}/`)
        .replace("@replica/", `@127.0.0.1:${replica?.port}/`);
    const entries = Object.entries(services[name]!.environment);
    return Object.fromEntries(entries.map(([key, value]) => [key, here(value)]));
  }

  function start(name: string, extra: Record<string, string>) {
    const args = services[name]!.command!.map((each) => (each === "/feeds" ? feeds : each));
    const env = { PATH: process.env.PATH!, ...environmentOf(name), ...extra };
    return Bun.spawn([COMMAND, ...args], { env, stdout: "pipe", stderr: "pipe" });
  }

  test("gives the services of Colophon a read-only root and no capability", () => {
    for (const name of ["migrate", "feeds", "web"])
      expect(services[name]).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
  });

  test("a feed that arrives is imported on the primary and served from the replica", async () => {
    expect(await resultOf(start("migrate", {}))).toMatchObject({ code: 0 });
    replica = await startStandby(primary);
    const web = start("web", {
      PORT: "0",
      HOST: "127.0.0.1",
      COLOPHON_ADMIN_PORT: "0",
      COLOPHON_LOG: "none",
    });
    const watch = start("feeds", { COLOPHON_SETTLE: "0" });
    try {
      const token = (
        await colophon(["token", "--name", "Shop"], { env: environmentOf("feeds") })
      ).stdout.trim();
      const reader = web.stdout.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      while (!/openapi\.html\n/.test(text)) text += (await reader.read()).value!;
      const url = /http:\S+(?=\/openapi\.html)/.exec(text)![0];
      writeFileSync(join(feeds, "feed.xml"), message(product({ isbn: ISBN })));
      await waitFor("the feed is done", () => existsSync(join(feeds, "done/feed.xml")));
      const isServed = async () => (await fetchAs(token, `${url}/api/isbn/${ISBN}`)).status === 200;
      await waitFor("the replica has the book", isServed);
    } finally {
      for (const child of [web, watch]) child.kill("SIGTERM");
      expect(await Promise.all([web.exited, watch.exited])).toEqual([0, 0]);
    }
  });
});

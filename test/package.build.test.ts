/** The package that `npm pack` makes, and the lock file that `npm ci` needs. */
import { beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { release, writeDigests } from "../scripts/release.ts";
import { temporaryFolder } from "./process.ts";

const ROOT = join(import.meta.dir, "..");
const folder = temporaryFolder();
const released = join(folder, "release");
/** A user who installs Colophon: the path has a space, and the command is called through a link. */
const installation = join(folder, "a shop");
const command = join(installation, "node_modules/.bin/colophon");

interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(argv: string[], options: { cwd?: string; env?: Record<string, string> } = {}): RunResult {
  const { exitCode, stdout, stderr } = Bun.spawnSync(argv, {
    cwd: options.cwd ?? installation,
    env: { ...(process.env as Record<string, string>), ...options.env },
    stdin: "ignore",
  });
  return { code: exitCode, stdout: String(stdout), stderr: String(stderr) };
}

/** A PATH with the programs of a shell, and without Bun. */
const WITHOUT_BUN = { PATH: "/usr/bin:/bin" };

describe("an installed package", () => {
  let files: readonly string[];

  beforeAll(async () => {
    mkdirSync(released);
    await release({ source: ROOT, targets: [], to: released });
    await writeDigests(released);
    const archive = join(released, `colophon-${packageJson.version}.tgz`);
    files = run(["tar", "-tzf", archive], { cwd: folder })
      .stdout.trim()
      .split("\n")
      .map((path) => path.replace(/^package\//, ""));
    const place = join(installation, "node_modules/colophon");
    mkdirSync(place, { recursive: true });
    expect(run(["tar", "-xzf", archive, "-C", place, "--strip-components=1"]).code).toBe(0);
    // The dependencies as npm would put them beside the package.
    for (const name of ["jose"])
      symlinkSync(join(ROOT, "node_modules", name), join(installation, "node_modules", name));
    mkdirSync(join(installation, "node_modules/.bin"));
    symlinkSync("../colophon/bin/colophon", command);
  });

  /** Puts Bun where npm puts it, with its install script or without. */
  function installBun(withScript: boolean): void {
    const bun = join(installation, "node_modules/bun/bin");
    const ofPlatform = join(installation, "node_modules/@oven/bun-linux-x64/bin");
    const ofOther = join(installation, "node_modules/@oven/bun-linux-x64-android/bin");
    run(["rm", "-rf", join(installation, "node_modules/bun"), join(installation, "node_modules/@oven")]);
    for (const each of [bun, ofPlatform, ofOther]) mkdirSync(each, { recursive: true });
    // A program that cannot run here, as that of another C library.
    writeFileSync(join(ofOther, "bun"), "#!/no/such/loader\n");
    chmodSync(join(ofOther, "bun"), 0o755);
    if (withScript) {
      symlinkSync(process.execPath, join(bun, "bun.exe"));
      return;
    }
    symlinkSync(process.execPath, join(ofPlatform, "bun"));
    writeFileSync(join(bun, "bun.exe"), `echo "Error: Bun's postinstall script was not run." >&2\nexit 1\n`);
    chmodSync(join(bun, "bun.exe"), 0o755);
  }

  test("stands in a release beside that of the client, a bill of materials, and the digests of all", async () => {
    expect(run(["sha256sum", "--check", "SHA256SUMS"], { cwd: released })).toMatchObject({
      code: 0,
      stdout: ["", "-client"]
        .map((name) => `colophon${name}-${packageJson.version}.tgz: OK\n`)
        .concat("sbom.cdx.json: OK\n")
        .join(""),
    });
    const client = join(released, `colophon-client-${packageJson.version}.tgz`);
    expect(run(["tar", "-xzOf", client, "package/README.md"]).stdout).toContain('from "colophon-client"');
    expect(await Bun.file(join(released, "sbom.cdx.json")).json()).toMatchObject({ bomFormat: "CycloneDX" });
  });

  test("has no test, bench or script in it", () => {
    expect(
      files.filter((file) => /\.test\.tsx?$|testing\/|^(test|bench|scripts)\/|contract\//.test(file)),
    ).toEqual([]);
    expect(files).toContain("dist/client/index.js");
    expect(files).toContain("dist/web/app.js");
    expect(files.filter((file) => file.startsWith("src/web/app/"))).toEqual([]);
    expect(files).toContain("src/cli/main.ts");
  });

  for (const [name, withScript] of [
    ["with", true],
    ["without", false],
  ] as const) {
    test(`runs ${name} the install script of Bun, from a read-only folder`, () => {
      installBun(withScript);
      const version = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version as string;
      expect(run([command, "--version"], { env: WITHOUT_BUN })).toMatchObject({
        code: 0,
        stdout: `${version} (Bun ${Bun.version})\n`,
      });
      run(["chmod", "-R", "a-w", installation]);
      try {
        const db = join(folder, `${name}.db`);
        const feed = join(installation, "node_modules/colophon/sample/catalog.xml");
        const imported = run([command, "import", "--db", db, feed], { cwd: folder, env: WITHOUT_BUN });
        expect(imported).toMatchObject({ code: 0 });
        const page = ["--html", join(folder, `${name}.html`)];
        const checked = run([command, "check", ...page, feed], { cwd: folder, env: WITHOUT_BUN });
        expect(checked).toMatchObject({ code: 0 });
        const { code, stdout } = run([command, "export", "--db", db], { cwd: folder, env: WITHOUT_BUN });
        expect([code, stdout.split("\n").length > 100]).toEqual([0, true]);
      } finally {
        run(["chmod", "-R", "u+w", installation]);
      }
    });
  }

  test("serves its pages", async () => {
    installBun(true);
    const db = join(folder, "served.db");
    const server = Bun.spawn([command, "serve", "--sample", "--port", "0", "--db", db], {
      stdout: "pipe",
      stderr: "pipe",
    });
    const reader = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!/openapi\.html\n/.test(text)) text += (await reader.read()).value!;
    const url = /http:\S+(?=\/openapi\.html)/.exec(text)![0];
    const paths = ["/", "/page/app.js", "/page/app.css", "/openapi.html", "/page/openapi.js", "/favicon.ico"];
    for (const path of [...paths, "/docs", "/docs/changelog"])
      expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
  });

  test("names what is missing without Bun", () => {
    run(["rm", "-rf", join(installation, "node_modules/bun"), join(installation, "node_modules/@oven")]);
    const { code, stderr } = run([command, "--version"], { env: WITHOUT_BUN });
    expect([code, stderr]).toEqual([1, "colophon: Bun is missing; run 'npm install' first\n"]);
  });
});

interface LockedPackage {
  readonly optionalDependencies?: Record<string, string>;
  readonly version: string;
  readonly resolved?: string;
}

test("the lock file has every optional package of each platform, in the version that its parent wants", () => {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockedPackage>;
  };
  let count = 0;
  const missing: string[] = [];
  for (const [parent, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(optionalDependencies)) {
      count++;
      const locked = lock.packages[`${parent}/node_modules/${name}`] ?? lock.packages[`node_modules/${name}`];
      if (!locked || !Bun.semver.satisfies(locked.version, range))
        missing.push(`${parent}: ${name}@${range}`);
    }
  }
  expect(missing).toEqual([]);
  expect(count).toBeGreaterThan(20);
});

test("the installed packages want no optional package that the lock file lacks", () => {
  const lock = readFileSync(join(ROOT, "package-lock.json"), "utf8");
  const modules = join(ROOT, "node_modules");
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`) : [name],
  );
  for (const name of names) {
    const file = join(modules, name, "package.json");
    if (!existsSync(file)) continue;
    const { optionalDependencies = {} } = JSON.parse(readFileSync(file, "utf8")) as Partial<LockedPackage>;
    for (const optional of Object.keys(optionalDependencies))
      expect(lock).toContain(`node_modules/${optional}"`);
  }
});

/** The Bun of other machines, from the packages that npm has of it. */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import lock from "../../package-lock.json" with { type: "json" };

const CACHE = join(import.meta.dir, "../../node_modules/.cache/colophon-build");

/** Names of `bun build --target`, without `bun-`. Colophon does not run on Windows: it needs signals and file locks. */
export const TARGETS = [
  "linux-x64",
  "linux-arm64",
  "linux-x64-musl",
  "linux-arm64-musl",
  "darwin-x64",
  "darwin-arm64",
];

interface LockedPackage {
  readonly version: string;
  readonly integrity: string;
}

/** Returns the path of the Bun of a target. Downloads it once, in the version and with the digest of the lock file. */
export async function bunFor(target: string): Promise<string> {
  if (!TARGETS.includes(target)) {
    throw new Error(`${target}: there is no such target; the targets are ${TARGETS.join(", ")}`);
  }
  const name = `@oven/bun-${target.replace("arm64", "aarch64")}`;
  const { version, integrity } = (lock.packages as unknown as Record<string, LockedPackage>)[
    `node_modules/${name}`
  ]!;
  if (version !== Bun.version)
    throw new Error(`Bun is ${Bun.version}, the lock file has ${version}; run "npm ci"`);
  const folder = join(CACHE, `${target}-${version}`);
  const program = join(folder, "package/bin/bun");
  if (existsSync(program)) return program;
  const temporary = `${folder}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  try {
    const packed = run(["npm", "pack", "--json", "--pack-destination", temporary, `${name}@${version}`]);
    const report = JSON.parse(packed.slice(packed.search(/^[[{]/m)));
    const [{ filename }] = (Array.isArray(report) ? report : Object.values(report)) as [{ filename: string }];
    const archive = join(temporary, filename);
    const digest = new Bun.CryptoHasher("sha512").update(await Bun.file(archive).bytes()).digest("base64");
    if (`sha512-${digest}` !== integrity)
      throw new Error(`${name}@${version} is not the package of the lock file`);
    run(["tar", "-xzf", archive, "-C", temporary, "package/bin/bun"]);
    rmSync(archive);
    renameSync(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return program;
}

function run(command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command.join(" ")} has failed:\n${stderr}`);
  return String(stdout);
}

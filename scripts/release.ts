/**
 * `npm run release [-- --to FOLDER] [--image] [TARGET …]` builds the files of a release from a clean clone of the last
 * commit: executables, the npm packages of service and client, a bill of materials (SBOM), and SHA256SUMS of them all.
 * Without targets, the executables are for Linux with glibc. `--image` adds the image of the Dockerfile, with docker,
 * podman or buildah.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, run } from "./build.ts";

const DEFAULT_TARGETS = ["linux-x64", "linux-arm64"];

interface ReleaseOptions {
  /** The checkout that is released, with its dependencies installed. */
  readonly source: string;
  readonly targets: readonly string[];
  /** An existing folder without other files. */
  readonly to: string;
}

/** Writes executables, npm packages and bill of materials into the folder. */
export async function release({ source, targets, to }: ReleaseOptions): Promise<void> {
  if (targets.length > 0) run(["npm", "run", "build", "--", ...targets], source);
  for (const target of targets) {
    cpSync(join(source, `dist/colophon-${target}`), join(to, `colophon-${target}`));
  }
  run(["npm", "pack", "--pack-destination", to], source);
  // The pack before has built the client.
  run(["npm", "pack", "./dist/client", "--pack-destination", to], source);
  await Bun.write(join(to, "sbom.cdx.json"), run(["npm", "run", "--silent", "sbom"], source));
}

/** Writes the digests of all files of the folder, in the form that `sha256sum --check` reads. */
export async function writeDigests(folder: string): Promise<void> {
  let lines = "";
  for (const name of readdirSync(folder).sort()) {
    const digest = new Bun.CryptoHasher("sha256");
    for await (const chunk of Bun.file(join(folder, name)).stream()) digest.update(chunk);
    lines += `${digest.digest("hex")}  ${name}\n`;
  }
  await Bun.write(join(folder, "SHA256SUMS"), lines);
}

/** Builds the image with the first program of these that is installed, and saves it as an archive. */
function releaseImage(source: string, version: string, to: string): void {
  const builder = ["docker", "podman", "buildah"].find((name) => Bun.which(name) !== null);
  if (builder === undefined) throw new Error("--image needs docker, podman or buildah; install one of them");
  const tag = `colophon:${version}`;
  const labels = [`VERSION=${version}`, `REVISION=${run(["git", "rev-parse", "HEAD"], source).trim()}`];
  run([builder, "build", ...labels.flatMap((label) => ["--build-arg", label]), "-t", tag, source], source);
  const archive = join(to, `colophon-image-${version}.tar`);
  run(
    builder === "buildah"
      ? ["buildah", "push", tag, `docker-archive:${archive}:${tag}`]
      : [builder, "save", "-o", archive, tag],
    source,
  );
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { to: { type: "string", default: "release" }, image: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const to = resolve(values.to);
  mkdirSync(to, { recursive: true });
  if (readdirSync(to).length > 0) throw new Error(`${to} is not empty; empty it, or name another folder`);
  const temporary = mkdtempSync(join(tmpdir(), "colophon-release-"));
  try {
    const source = join(temporary, "colophon");
    run(["git", "clone", "--quiet", ROOT, source], ROOT);
    run(["npm", "ci", "--no-audit", "--no-fund"], source);
    await release({ source, targets: positionals.length > 0 ? positionals : DEFAULT_TARGETS, to });
    const { version } = await Bun.file(join(source, "package.json")).json();
    if (values.image) releaseImage(source, version, to);
    await writeDigests(to);
  } finally {
    rmSync(temporary, { recursive: true });
  }
  for (const name of readdirSync(to).sort()) {
    console.log(`${(Bun.file(join(to, name)).size / 1e6).toFixed(1).padStart(7)} MB  ${name}`);
  }
}

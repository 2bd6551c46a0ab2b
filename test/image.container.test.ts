/**
 * The image of the Dockerfile. The quick tests build it around an empty file, and run the executable in its root. With
 * COLOPHON_TEST_IMAGE (`npm run test:image`), the whole image is built, and containers of it run.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { build } from "../scripts/build.ts";
import { freePort } from "../src/lib/testing/free-port.ts";
import { isMissing, isProgramMissing } from "../src/lib/testing/requirements.ts";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { fetchAs, runProgram, SAMPLE, temporaryFolder } from "./process.ts";

const ISBN = "9789999901116";
const isFull = process.env.COLOPHON_TEST_IMAGE !== undefined;
const programs = isFull ? ["buildah", "podman", "runc"] : ["buildah", "unshare", "chroot"];
/** Podman refuses a path of more than 50 characters, and the folders of tests are longer. */
const RUN_ROOT = `/tmp/colophon-run-${process.pid}`;
const isUnable = isProgramMissing(...programs) || isMissing(process.getuid?.() === 0);

function run(command: readonly string[], env?: Record<string, string>, stdin?: string) {
  return runProgram(command, { ...(env && { env }), ...(stdin !== undefined && { stdin: Bun.file(stdin) }) });
}

async function bookStatus(port: number, token: string): Promise<number> {
  return (await fetchAs(token, `http://127.0.0.1:${port}/api/isbn/${ISBN}`)).status;
}

/** Runs a command in the root, which is read-only, with `data` and the executable mounted, as the user of the image. */
const IN_ROOT = `
root=$1 program=$2 data=$3 user=$4; shift 4
for pair in "$root $root" "$program $root/usr/local/bin/colophon" "$data $root/data" "/proc $root/proc" "/dev $root/dev"
do /usr/bin/mount --rbind $pair || exit
done
/usr/bin/mount -o remount,bind,ro "$root" && exec /usr/sbin/chroot --userspec="$user" "$root" "$@"`;

afterAll(() => rmSync(RUN_ROOT, { recursive: true, force: true }));

describe.skipIf(isUnable || isFull)("the image (skipped without root, buildah, unshare or chroot)", () => {
  const folder = temporaryFolder();
  const program = join(folder, "colophon");
  const data = join(folder, "data");
  const builder = new ImageBuilder(folder);
  let root = "";
  let env: Record<string, string> = {};
  let user = "";

  beforeAll(async () => {
    await build(program);
    builder.build(program);
    root = builder.mount();
    const config = builder.config();
    user = config.User;
    env = Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
    // A new volume has the owner and mode of the folder that it covers.
    mkdirSync(data);
    const { uid, gid } = statSync(join(root, "data"));
    chownSync(data, uid, gid);
    for (const name of ["proc", "dev"]) mkdirSync(join(root, name), { recursive: true });
  });

  const inRoot = (...command: string[]) => [
    "/usr/bin/unshare",
    ...["--mount", "--ipc", "/bin/sh", "-c", IN_ROOT, "sh", root, program, data, user],
    ...command,
  ];

  test("runs as a user without a name, and has a volume, a stop signal, labels and a health check without a shell", () => {
    expect(builder.config()).toMatchObject({
      User: "65532:65532",
      Entrypoint: ["colophon"],
      Cmd: ["serve"],
      Volumes: { "/data": {} },
      StopSignal: "SIGTERM",
      Healthcheck: { Test: ["CMD", "colophon", "health"] },
      Labels: {
        "org.opencontainers.image.title": "Colophon",
        "org.opencontainers.image.version": "unreleased",
        "org.opencontainers.image.revision": "unknown",
      },
    });
    expect(statSync(join(root, "data"))).toMatchObject({ uid: 65532, gid: 65532 });
  });

  test("contains the executable and its libraries, and no source, shell or secret", () => {
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const names = files.map(({ name }) => name).filter((name) => !/^(lib|ld-)[a-z0-9.+_-]*\.so/.test(name));
    expect(names).toEqual(["colophon"]);
  });

  test("refuses an empty volume until init, and serves it with a read-only root; imports, issues tokens and stops", async () => {
    const [port, adminPort] = [freePort(), freePort()];
    const settings = { ...env, PORT: String(port), COLOPHON_ADMIN_PORT: String(adminPort) };
    const colophon = (args: string[], stdin?: string) => run(inRoot("colophon", ...args), settings, stdin);
    expect(await colophon(["serve"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("colophon init"),
    });
    expect((await colophon(["init"])).stdout).toStartWith("eyJ");
    const server = Bun.spawn(inRoot("colophon", "serve"), { env: settings, stdout: "pipe", stderr: "pipe" });
    await waitFor("it is healthy", async () => (await colophon(["health"])).code === 0);
    expect(await colophon(["import", "-"], SAMPLE)).toMatchObject({ code: 0 });
    expect(await colophon(["check", "-"], SAMPLE)).toMatchObject({ code: 0 });
    const { stdout: token } = await colophon(["token", "--name", "Shop"]);
    expect(await bookStatus(port, token.trim())).toBe(200);
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    expect(await new Response(server.stdout).text()).toContain("The catalog is empty.");
    expect(await colophon(["health"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no service"),
    });
    expect(statSync(join(data, "catalog.db")).uid).toBe(65532);
  });
});

if (isFull)
  describe("a container (npm run test:image; needs root, buildah, podman and runc)", () => {
    const folder = temporaryFolder();
    const builder = new ImageBuilder(folder);
    const podman = (args: readonly string[], stdin?: string) =>
      run(builder.podmanCommand(...args), undefined, stdin);

    beforeAll(() => builder.build());

    afterAll(() => podman(["rm", "--force", "--all"]));

    const hardened = ["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"];
    // Podman would raise these limits, which not every machine allows.
    const limits = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1000:1000", "--network", "host"];
    const start = (ports: Record<string, number>, ...args: string[]) => {
      const variables = Object.entries(ports).flatMap(([name, port]) => ["-e", `${name}=${port}`]);
      return podman(["run", "-d", "-v", "catalog:/data", ...hardened, ...limits, ...variables, ...args]);
    };

    test("goes through an operator's day: start, import, token, log, backup, upgrade, stop", async () => {
      const ports = { PORT: freePort(), COLOPHON_ADMIN_PORT: freePort() };
      expect(
        await podman(["run", "--rm", "-v", "catalog:/data", ...hardened, ...limits, "colophon", "init"]),
      ).toMatchObject({ code: 0, stdout: expect.stringContaining("eyJ") });
      expect(await start(ports, "--name", "first", "colophon")).toMatchObject({ code: 0 });
      const exec = (args: readonly string[], stdin?: string) =>
        podman(["exec", "-i", "first", "colophon", ...args], stdin);
      const isHealthy = async (name: string) => (await podman(["healthcheck", "run", name])).code === 0;
      await waitFor("it is healthy", () => isHealthy("first"));
      expect((await podman(["logs", "first"])).stdout).toContain("The catalog is empty.");
      expect(await exec(["import", "-"], SAMPLE)).toMatchObject({ code: 0 });
      const token = (await exec(["token", "--name", "Shop"])).stdout.trim();
      expect(await bookStatus(ports.PORT, token)).toBe(200);
      // The log writer waits for further lines.
      await waitFor("the request is in the log", async () =>
        (await podman(["logs", "first"])).stderr.includes('"tokenName":"Shop"'),
      );
      expect(await exec(["backup", "/data/backup.db"])).toMatchObject({ code: 0 });
      expect((await podman(["cp", "first:/data/backup.db", join(folder, "backup.db")])).code).toBe(0);
      // The new version takes the volume of the old one.
      expect((await podman(["stop", "first"])).code).toBe(0);
      expect((await podman(["logs", "first"])).stderr).toContain('"event":"stopped"');
      expect(await start(ports, "--name", "second", "colophon", "serve", "--workers", "2")).toMatchObject({
        code: 0,
      });
      await waitFor("the new one is healthy", () => isHealthy("second"));
      expect(await bookStatus(ports.PORT, token)).toBe(200);
      expect((await podman(["stop", "second"])).code).toBe(0);
    });
  });

const ROOT = join(import.meta.dir, "..");
/** The Dockerfile begins with it. */
const BASE_IMAGE = "docker.io/library/node:22-bookworm-slim";
const IMAGE = "colophon";

interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Volumes: Readonly<Record<string, unknown>>;
  readonly StopSignal: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

/**
 * Builds the image of the Dockerfile with buildah, with a storage of its own in a folder. No registry is needed: the
 * image that it begins with is a stand-in, an empty root with the /usr of this machine, which has Node and npm.
 */
class ImageBuilder {
  readonly #storage: readonly string[];

  constructor(readonly folder: string) {
    this.#storage = ["--root", join(folder, "storage"), "--runroot", RUN_ROOT, "--storage-driver", "vfs"];
  }

  buildah(...args: string[]): string {
    return outputOf(["buildah", ...this.#storage, ...args]);
  }

  /** `podman` without systemd, and with the one runtime of Debian that knows the first version of control groups. */
  podmanCommand(...args: string[]): string[] {
    const options = ["--cgroup-manager", "cgroupfs", "--runtime", "runc", "--log-level", "fatal"];
    return ["podman", ...this.#storage, ...options, ...args];
  }

  /** Builds the image. With `prebuilt`, the steps of npm are replaced: an empty file stands for that executable. */
  build(prebuilt?: string): void {
    this.#makeBase();
    const volumes = ["/usr:/usr:ro", ...(prebuilt === undefined ? [] : this.#replaceSteps(prebuilt))];
    const mounts = volumes.flatMap((volume) => ["-v", volume]);
    this.buildah("bud", "--isolation", "chroot", "--format", "docker", ...mounts, "-t", IMAGE, ROOT);
  }

  config(): ImageConfig {
    return JSON.parse(this.buildah("inspect", "--type", "image", IMAGE)).Docker.config;
  }

  /** Returns the path of a root of the image. */
  mount(): string {
    return this.buildah("mount", this.buildah("from", IMAGE).trim()).trim();
  }

  #makeBase(): void {
    const base = join(this.folder, "base");
    for (const name of ["usr", "tmp", "root", "etc"]) mkdirSync(join(base, name), { recursive: true });
    for (const name of ["bin", "sbin", "lib", "lib64"]) symlinkSync(`usr/${name}`, join(base, name));
    writeFileSync(join(base, "etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
    // The certificates that npm trusts on this machine.
    const certificates = process.env.NODE_EXTRA_CA_CERTS;
    if (certificates) copyFileSync(certificates, join(base, "etc/certificates.crt"));
    const context = join(this.folder, "base-context");
    mkdirSync(context);
    outputOf(["tar", "-C", base, "-cf", join(context, "base.tar"), "."]);
    const environment = certificates ? "ENV NODE_EXTRA_CA_CERTS=/etc/certificates.crt\n" : "";
    writeFileSync(join(context, "Dockerfile"), `FROM scratch\nADD base.tar /\n${environment}`);
    this.buildah("bud", "--isolation", "chroot", "-q", "-t", BASE_IMAGE, context);
  }

  /** Copying an executable of 120 MB through all layers would take most of the time of a test. */
  #replaceSteps(prebuilt: string): string[] {
    const [npm, ldd] = [join(this.folder, "npm"), join(this.folder, "ldd")];
    writeFileSync(npm, '#!/bin/sh\n[ "$1" = ci ] || install -D /dev/null dist/colophon\n', { mode: 0o755 });
    const libraries = outputOf(["ldd", prebuilt]);
    writeFileSync(ldd, `#!/bin/sh\ncat <<'END'\n${libraries}END\n`, { mode: 0o755 });
    return [`${npm}:${Bun.which("npm")}:ro`, `${ldd}:${Bun.which("ldd")}:ro`];
  }
}

function outputOf(command: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command]);
  if (exitCode !== 0) throw new Error(`${command.join(" ")} has failed:\n${stdout}${stderr}`);
  return String(stdout);
}

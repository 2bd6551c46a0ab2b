/**
 * Builds the image of the Dockerfile with buildah. No registry is needed: the image that it begins with is a stand-in,
 * an empty root with the /usr of this machine, which has Node and npm.
 */
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
/** As the Dockerfile names it. */
const BASE_IMAGE = "docker.io/library/node:22-bookworm-slim";
const IMAGE = "colophon";

export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Volumes: Readonly<Record<string, unknown>>;
  readonly StopSignal: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

/** Buildah and Podman with a storage of their own in a folder. */
export class ImageBuilder {
  readonly #storage: readonly string[];

  constructor(readonly folder: string) {
    const storage = (name: string) => join(folder, name);
    this.#storage = ["--root", storage("storage"), "--runroot", storage("run"), "--storage-driver", "vfs"];
  }

  buildah(...args: string[]): string {
    return run(["buildah", ...this.#storage, ...args]);
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
    run(["tar", "-C", base, "-cf", join(context, "base.tar"), "."]);
    const environment = certificates ? "ENV NODE_EXTRA_CA_CERTS=/etc/certificates.crt\n" : "";
    writeFileSync(join(context, "Dockerfile"), `FROM scratch\nADD base.tar /\n${environment}`);
    this.buildah("bud", "--isolation", "chroot", "-q", "-t", BASE_IMAGE, context);
  }

  /** Copying an executable of 120 MB through all layers would take most of the time of a test. */
  #replaceSteps(prebuilt: string): string[] {
    const [npm, ldd] = [join(this.folder, "npm"), join(this.folder, "ldd")];
    writeFileSync(npm, '#!/bin/sh\n[ "$1" = ci ] || install -D /dev/null dist/colophon\n', { mode: 0o755 });
    const libraries = run(["ldd", prebuilt]);
    writeFileSync(ldd, `#!/bin/sh\ncat <<'END'\n${libraries}END\n`, { mode: 0o755 });
    return [`${npm}:${Bun.which("npm")}:ro`, `${ldd}:${Bun.which("ldd")}:ro`];
  }
}

function run(command: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command]);
  if (exitCode !== 0) throw new Error(`${command.join(" ")} has failed:\n${stdout}${stderr}`);
  return String(stdout);
}

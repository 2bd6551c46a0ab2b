/**
 * The catalog that is open under a path. A service runs for months, and SQLite goes on reading a file that was moved or
 * deleted, so it would serve an old catalog for ever. So a service compares the open files with those under their paths
 * once a second. While there is no usable file, the catalog is lost, and reading it throws `StoreError`.
 */
import { StoreError } from "../../../catalog/store-errors.ts";
import { isInPlace } from "../connection.ts";
import { type CatalogOptions, OpenCatalog } from "../open-catalog.ts";
import { hasExpectedSize, OverwriteDetector } from "./overwrite-detector.ts";
import { identityOf } from "./side-files.ts";

/** Tells that the catalog cannot be served for a reason, or that it is served again. */
export type CatalogChange =
  | { readonly state: "lost"; readonly reason: string }
  | { readonly state: "opened"; readonly path: string };

export interface FollowOptions extends CatalogOptions {
  /**
   * Follows the path of the file: another file that is put there is served. Is called when the catalog is lost and when
   * it is opened again. A token registry is then required by default.
   */
  readonly onCatalogChange?: ((change: CatalogChange) => void) | undefined;
  /** How often the file under the path is compared with the open one. Default: 1 second. */
  readonly checkIntervalMs?: number;
}

const CHECK_INTERVAL_MS = 1000;
/** The checks within which every process that serves an overwritten file has noticed it, and has closed the file. */
const CHECKS_TO_CLOSE = 3;

export class CatalogPath {
  readonly #path: string;
  readonly #options: FollowOptions;
  readonly #checkIntervalMs: number;
  /** Undefined unless the path is followed. */
  readonly #timer: Timer | undefined;
  #catalog: OpenCatalog | undefined;
  #overwrites: OverwriteDetector | undefined;
  /** Undefined unless the file was overwritten in place. */
  #reopenAtMs: number | undefined;
  /** Why the catalog cannot be served. */
  #problem: StoreError | undefined;
  /** The registry that was in use stays required, also by a catalog that does not know of it. */
  #hadRegistry = false;
  #isHeld = false;
  /** A check waits for the end of the transaction. */
  #isCheckDue = false;
  #isClosed = false;

  /** Throws `StoreError` when the catalog cannot be opened. */
  constructor(path: string, options: FollowOptions) {
    this.#path = path;
    this.#options = options;
    this.#checkIntervalMs = options.checkIntervalMs ?? CHECK_INTERVAL_MS;
    if (options.onCatalogChange === undefined) {
      this.#catalog = new OpenCatalog(path, options);
      return;
    }
    this.#catalog = new OpenCatalog(path, { ...options, registry: options.registry ?? "required" });
    this.#overwrites = detectorOf(this.#catalog);
    this.#timer = setInterval(() => this.#check(), this.#checkIntervalMs).unref();
  }

  /** The file that is open, whether or not it can be served. */
  get openCatalog(): OpenCatalog | undefined {
    return this.#catalog;
  }

  /** Throws `StoreError` while the catalog is lost. */
  current(): OpenCatalog {
    if (this.#problem) throw this.#problem;
    return this.#catalog!;
  }

  /** The lookups of an event-loop tick read one state (`api/freshness.ts`), so the file changes after `endLookups`. */
  hold(): void {
    this.#isHeld = true;
  }

  endLookups(): void {
    this.#isHeld = false;
    this.#catalog?.endLookups();
    if (!this.#isCheckDue) return;
    this.#isCheckDue = false;
    setImmediate(() => this.#check());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#catalog?.close();
  }

  #check(): void {
    if (this.#isClosed) return;
    const catalog = this.#catalog;
    if (this.#isHeld) this.#isCheckDue = true;
    else if (catalog === undefined) this.#reopen();
    else if (!isInPlace(catalog.file)) {
      this.#lose(catalog, identityOf(this.#path) === undefined ? missing(this.#path) : replaced(this.#path));
    } else if (this.#wasOverwritten()) {
      this.#reopenAtMs = performance.now() + CHECKS_TO_CLOSE * this.#checkIntervalMs;
      this.#lose(catalog, overwritten(this.#path));
    } else this.#checkRegistry(catalog);
  }

  #lose(catalog: OpenCatalog, reason: StoreError): void {
    this.#catalog = undefined;
    this.#hadRegistry ||= catalog.tokens.isOpen;
    this.#report(reason);
    // A file must be closed before another one under its path is opened: both share the names of their logs.
    const closed = this.#reopenAtMs === undefined ? catalog.leave() : catalog.close();
    void closed.then(
      () => this.#check(),
      (error) => this.#report(error),
    );
  }

  #wasOverwritten(): boolean {
    try {
      return this.#overwrites!.wasOverwritten();
    } catch {
      // The requests meet the same error, and report it.
      return false;
    }
  }

  #checkRegistry(catalog: OpenCatalog): void {
    try {
      catalog.tokens.closeReplacedFile();
      catalog.tokens.check();
      catalog.noteRegistry();
      this.#resume();
    } catch (error) {
      this.#report(error);
    }
  }

  #reopen(): void {
    if (identityOf(this.#path) === undefined) {
      this.#report(missing(this.#path));
      return;
    }
    if (performance.now() < (this.#reopenAtMs ?? 0)) return;
    let catalog: OpenCatalog | undefined;
    try {
      const fixed = { create: false, registry: "required" } as const;
      catalog = new OpenCatalog(this.#path, { ...this.#options, ...fixed });
      this.#overwrites = detectorOf(catalog);
      if (this.#reopenAtMs !== undefined && !hasExpectedSize(catalog.file)) {
        this.#lose(catalog, overwritten(this.#path));
        return;
      }
    } catch (error) {
      // The next check opens it again.
      void catalog?.close();
      this.#report(error);
      return;
    }
    this.#catalog = catalog;
    this.#reopenAtMs = undefined;
    if (this.#hadRegistry) catalog.tokens.require();
    this.#checkRegistry(catalog);
  }

  #resume(): void {
    if (this.#problem === undefined) return;
    this.#problem = undefined;
    this.#options.onCatalogChange?.({ state: "opened", path: this.#path });
  }

  /** Reports a problem once. */
  #report(error: unknown): void {
    const problem = error instanceof StoreError ? error : new StoreError((error as Error).message);
    if (problem.message === this.#problem?.message) return;
    this.#problem = problem;
    this.#options.onCatalogChange?.({ state: "lost", reason: problem.message });
  }
}

function missing(path: string): StoreError {
  return new StoreError(`The catalog ${path} was moved or deleted; put a catalog there, and it is served.`);
}

function replaced(path: string): StoreError {
  return new StoreError(`The catalog ${path} was replaced; the new file is being opened.`);
}

function overwritten(path: string): StoreError {
  return new StoreError(
    `The catalog ${path} was overwritten while it was in use; it is opened again when all processes have closed it. Use mv instead of cp.`,
  );
}

function detectorOf(catalog: OpenCatalog): OverwriteDetector {
  const detector = new OverwriteDetector(catalog.file, () => catalog.knownContent());
  // The first look is what later ones are compared with.
  detector.wasOverwritten();
  return detector;
}

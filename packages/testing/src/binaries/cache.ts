import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

const manifestName = "manifest.json";

/** The SHA-256 of each binary that is in the cache. */
type Manifest = Readonly<Record<string, string>>;

/**
 * A folder of binaries with a manifest. What the manifest does not vouch for is not there: a file
 * that was cut off, changed or never finished counts as missing.
 */
export class BinaryCache {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  path(binary: string): string {
    return join(this.folder, binary);
  }

  /** Those of the binaries that are missing or broken. */
  async missing(binaries: readonly string[]): Promise<string[]> {
    const manifest = await this.#manifest();
    const sound = await Promise.all(binaries.map((binary) => this.#isSound(binary, manifest)));
    return binaries.filter((_, index) => !sound[index]);
  }

  /** A place to build into; `admit` moves it to its own. Needs the lock. */
  stagingPath(binary: string): string {
    return join(this.folder, `.${binary}.building`);
  }

  /** Takes a finished binary in: first the file, then the manifest, each in one step. */
  async admit(binary: string): Promise<void> {
    const digest = await sha256(this.stagingPath(binary));
    await rename(this.stagingPath(binary), this.path(binary));
    const manifest = { ...(await this.#manifest()), [binary]: digest };
    const staged = join(this.folder, `.${manifestName}.new`);
    await writeFile(staged, `${JSON.stringify(manifest, undefined, 2)}\n`);
    await rename(staged, join(this.folder, manifestName));
  }

  /** Makes the folder, without what an interrupted build may have left. Needs the lock. */
  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const files = await readdir(this.folder);
    const left = files.filter((file) => file.startsWith(".") && file.endsWith(".building"));
    await Promise.all(left.map((file) => rm(join(this.folder, file), { force: true })));
  }

  async #isSound(binary: string, manifest: Manifest): Promise<boolean> {
    const expected = manifest[binary];
    if (expected === undefined) return false;
    return (await sha256(this.path(binary)).catch(() => "")) === expected;
  }

  async #manifest(): Promise<Manifest> {
    try {
      return JSON.parse(await readFile(join(this.folder, manifestName), "utf8")) as Manifest;
    } catch {
      return {};
    }
  }
}

/** Where binaries of all runs on this machine are kept. */
export function cacheRoot(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "rookery", "binaries");
}

async function sha256(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest("hex");
}

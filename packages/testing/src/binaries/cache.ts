import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

const manifestName = "manifest.json";
const seenName = "seen.json";

/** The SHA-256 of each binary that is in the cache. */
type Manifest = Readonly<Record<string, string>>;

/** The state in which each binary was found to be what the manifest says. */
type Seen = Readonly<Record<string, string>>;

/**
 * A folder of binaries with a manifest. What the manifest does not vouch for is not there: a file
 * that was cut off, changed or never finished counts as missing. A file is read again only after
 * it was touched: reading all of them takes a third of a second, and every test asks.
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
    const [manifest, seen] = [await this.#read(manifestName), await this.#read(seenName)];
    const states = await Promise.all(
      binaries.map((binary) => this.#soundState(binary, { manifest, seen })),
    );
    const found = Object.fromEntries(
      binaries.map((binary, index) => [binary, states[index] ?? ""]),
    );
    // A cache that is only read serves all the same.
    if (binaries.some((binary) => found[binary] !== (seen[binary] ?? ""))) {
      await this.#write(seenName, { ...seen, ...found }).catch(() => {});
    }
    return binaries.filter((binary) => !found[binary]);
  }

  /** A place to build into; `admit` moves it to its own. Needs the lock. */
  stagingPath(binary: string): string {
    return join(this.folder, `.${binary}.building`);
  }

  /** Takes a finished binary in: first the file, then the manifest, each in one step. */
  async admit(binary: string): Promise<void> {
    const digest = await sha256(this.stagingPath(binary));
    await rename(this.stagingPath(binary), this.path(binary));
    await this.#write(manifestName, { ...(await this.#read(manifestName)), [binary]: digest });
  }

  /** Makes the folder, without what an interrupted build may have left. Needs the lock. */
  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const files = await readdir(this.folder);
    const left = files.filter((file) => file.startsWith(".") && file.endsWith(".building"));
    await Promise.all(left.map((file) => rm(join(this.folder, file), { force: true })));
  }

  /** The fingerprint by which a changed binary is detected. */
  async #soundState(
    binary: string,
    { manifest, seen }: { readonly manifest: Manifest; readonly seen: Seen },
  ): Promise<string | undefined> {
    const digest = manifest[binary];
    const file = await stat(this.path(binary), { bigint: true }).catch(() => undefined);
    if (digest === undefined || !file) return undefined;
    const state = [digest, file.ino, file.size, file.ctimeNs].join(" ");
    if (seen[binary] === state) return state;
    return (await sha256(this.path(binary)).catch(() => "")) === digest ? state : undefined;
  }

  async #read(name: string): Promise<Readonly<Record<string, string>>> {
    try {
      return JSON.parse(await readFile(join(this.folder, name), "utf8"));
    } catch {
      return {};
    }
  }

  /** In one step, also where several runs do it at once. */
  async #write(name: string, content: Readonly<Record<string, string>>): Promise<void> {
    const staged = join(this.folder, `.${name}.${process.pid}.building`);
    await writeFile(staged, `${JSON.stringify(content, undefined, 2)}\n`);
    await rename(staged, join(this.folder, name));
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

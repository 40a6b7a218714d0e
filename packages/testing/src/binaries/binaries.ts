import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { UnavailableError } from "../errors.ts";
import { acquireLock, type Lock } from "../process/lock.ts";
import { type Progress, reportProgress } from "../progress.ts";
import { buildBinaries } from "./build.ts";
import { BinaryCache, cacheRoot } from "./cache.ts";
import { requireGo } from "./go.ts";
import { type BinaryName, cacheKey } from "./recipe.ts";

const remedy =
  "install Go 1.25 or newer, or set KUBEBUILDER_ASSETS to a folder that holds the binaries";

/** Paths of the binaries that were asked for. */
export type Binaries<Name extends BinaryName = BinaryName> = Readonly<Record<Name, string>>;

export interface BinaryOptions {
  readonly progress?: Progress;
  /** PATH, XDG_CACHE_HOME, KUBEBUILDER_ASSETS and what Go reads; this process's unless given. */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Gets binaries of Kubernetes: from KUBEBUILDER_ASSETS where it holds all of them, else from the
 * machine's cache, else built by Go into that cache, by one run at a time.
 * Throws UnavailableError where none of it works.
 */
export async function ensureBinaries<Name extends BinaryName>(
  names: readonly Name[],
  options: BinaryOptions = {},
): Promise<Binaries<Name>> {
  const { progress = reportProgress, env = process.env } = options;
  const assets = env.KUBEBUILDER_ASSETS;
  if (assets) {
    const lacking = await lackingIn(assets, names);
    if (lacking.length === 0) return pathsIn(assets, names);
    progress(`KUBEBUILDER_ASSETS (${assets}) lacks ${lacking.join(", ")}; looking further`);
  }
  const cache = new BinaryCache(join(cacheRoot(env), await cacheKey()));
  if ((await cache.missing(names)).length > 0) await fill(cache, names, { progress, env });
  return pathsIn(cache.folder, names);
}

async function fill(
  cache: BinaryCache,
  names: readonly BinaryName[],
  { progress, env }: Required<BinaryOptions>,
): Promise<void> {
  await requireGo(names.join(", "), remedy, env);
  await using _ = await lockCache(cache, progress);
  // Another run may have built them while this one waited.
  const missing = new Set(await cache.missing(names));
  await buildBinaries(
    names.filter((name) => missing.has(name)),
    cache,
    { progress, env },
  );
}

function lockCache(cache: BinaryCache, progress: Progress): Promise<Lock> {
  const purpose = "builds the binaries of Kubernetes";
  const lock = acquireLock(`${cache.folder}.lock`, { purpose, progress });
  return lock.catch((cause: Error) => {
    throw new UnavailableError("the binaries of Kubernetes", {
      reason: `their cache cannot be written: ${cause.message}`,
      remedy: "set XDG_CACHE_HOME to a folder that can",
      cause,
    });
  });
}

async function lackingIn(folder: string, names: readonly string[]): Promise<string[]> {
  const checks = names.map((name) => access(join(folder, name), constants.X_OK));
  const results = await Promise.allSettled(checks);
  return names.filter((_, index) => results[index]?.status === "rejected");
}

function pathsIn<Name extends BinaryName>(folder: string, names: readonly Name[]): Binaries<Name> {
  return Object.fromEntries(names.map((name) => [name, join(folder, name)])) as Binaries<Name>;
}

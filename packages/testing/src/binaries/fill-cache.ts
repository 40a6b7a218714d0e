import { UnavailableError } from "../errors.ts";
import { acquireLock, type Lock } from "../process/lock.ts";
import type { Progress } from "../progress.ts";
import { buildBinaries, type GoBuild } from "./build.ts";
import type { BinaryCache } from "./cache.ts";
import { requireGo } from "./go.ts";

export interface FillOptions {
  /** The name of the set in messages: "the binaries of Kubernetes". */
  readonly what: string;
  /** The remedy where there is no Go. */
  readonly remedy: string;
  readonly progress: Progress;
  readonly env: NodeJS.ProcessEnv;
}

/** Builds what the cache misses, by one run at a time. Throws UnavailableError. */
export async function fillCache(
  cache: BinaryCache,
  builds: readonly GoBuild[],
  { what, remedy, progress, env }: FillOptions,
): Promise<void> {
  const names = builds.map(({ name }) => name);
  if ((await cache.missing(names)).length === 0) return;
  await requireGo(names.join(", "), remedy, env);
  await using _ = await lockCache(cache, what, progress);
  // Another run may have built them while this one waited.
  const missing = new Set(await cache.missing(names));
  const wanted = builds.filter(({ name }) => missing.has(name));
  await buildBinaries(wanted, cache, { progress, env });
}

function lockCache(cache: BinaryCache, what: string, progress: Progress): Promise<Lock> {
  const lock = acquireLock(`${cache.folder}.lock`, { purpose: `builds ${what}`, progress });
  return lock.catch((cause: Error) => {
    throw new UnavailableError(what, {
      reason: `their cache cannot be written: ${cause.message}`,
      remedy: "set XDG_CACHE_HOME to a folder that can",
      cause,
    });
  });
}

import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { type Progress, reportProgress } from "../progress.ts";
import { BinaryCache, cacheRoot } from "./cache.ts";
import { fillCache } from "./fill-cache.ts";
import {
  type BinaryName,
  buildOf,
  cacheKey,
  type KubernetesVersion,
  kubernetesVersion,
} from "./recipe.ts";

const remedy =
  "install Go 1.25 or newer, or set KUBEBUILDER_ASSETS to a folder that holds the binaries";

/** Paths of the binaries that were asked for. */
export type Binaries<Name extends BinaryName = BinaryName> = Readonly<Record<Name, string>>;

export interface BinaryOptions {
  readonly progress?: Progress;
  /** PATH, XDG_CACHE_HOME, KUBEBUILDER_ASSETS and what Go reads; this process's unless given. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface KubernetesBinaryOptions extends BinaryOptions {
  /**
   * By default the Kubernetes that tests run on. v1.33.13 has only kube-apiserver and
   * kube-controller-manager, which never come from KUBEBUILDER_ASSETS.
   */
  readonly version?: KubernetesVersion;
}

/**
 * Gets binaries of Kubernetes: from KUBEBUILDER_ASSETS where it holds all of them, else from the
 * machine's cache, else built by Go into that cache, by one run at a time.
 * Throws UnavailableError where none of it works.
 */
export async function ensureBinaries<Name extends BinaryName>(
  names: readonly Name[],
  options: KubernetesBinaryOptions = {},
): Promise<Binaries<Name>> {
  const { progress = reportProgress, env = process.env, version = kubernetesVersion } = options;
  const assets = version === kubernetesVersion ? env.KUBEBUILDER_ASSETS : undefined;
  if (assets) {
    const lacking = await lackingIn(assets, names);
    if (lacking.length === 0) return pathsIn(assets, names);
    progress(`KUBEBUILDER_ASSETS (${assets}) lacks ${lacking.join(", ")}; looking further`);
  }
  const cache = new BinaryCache(join(cacheRoot(env), await cacheKey(version)));
  const what = "the binaries of Kubernetes";
  const builds = names.map((name) => buildOf(name, version));
  await fillCache(cache, builds, { what, remedy, progress, env });
  return pathsIn(cache.folder, names);
}

async function lackingIn(folder: string, names: readonly string[]): Promise<string[]> {
  const checks = names.map((name) => access(join(folder, name), constants.X_OK));
  const results = await Promise.allSettled(checks);
  return names.filter((_, index) => results[index]?.status === "rejected");
}

function pathsIn<Name extends BinaryName>(folder: string, names: readonly Name[]): Binaries<Name> {
  return Object.fromEntries(names.map((name) => [name, join(folder, name)])) as Binaries<Name>;
}

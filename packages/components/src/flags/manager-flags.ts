import { compareVersions, tryParseVersion } from "../versions/semantic-version.ts";
import { type KnownFlags, knownFlags } from "./known-flags.ts";

/** What is known of the flags of a manager. */
export interface ManagerFlags {
  /** Names that it surely has. */
  readonly names: ReadonlySet<string>;
  /** Flags that count concurrent reconciles, with the default that the manager has for each. */
  readonly concurrency: ReadonlyMap<string, number>;
  /** True where a flag that is not among the names is a mistake. */
  readonly complete: boolean;
}

const nothing: ManagerFlags = { names: new Set(), concurrency: new Map(), complete: false };

/**
 * The flags of a provider's manager in a version. Of a version between two that are known, the
 * flags that both have; of a newer one, those of the newest; of one that is older, or of a provider
 * that is not known, none: then only what the components themselves use is sure to be there.
 */
export function managerFlags(providerLabel: string, version: string): ManagerFlags {
  const wanted = tryParseVersion(version);
  const known = Object.hasOwn(knownFlags, providerLabel) ? knownFlags[providerLabel] : undefined;
  if (!wanted || !known) return nothing;
  const releases = known.map((entry) => ({
    entry,
    release: tryParseVersion(entry.version) ?? wanted,
  }));
  const same = releases.find(
    ({ release }) => release.major === wanted.major && release.minor === wanted.minor,
  );
  if (same) return flagsOf(same.entry);
  const older = releases.findLast(({ release }) => compareVersions(release, wanted) < 0);
  const newer = releases.find(({ release }) => compareVersions(release, wanted) > 0);
  if (!older) return nothing;
  return incomplete(
    newer ? common(flagsOf(older.entry), flagsOf(newer.entry)) : flagsOf(older.entry),
  );
}

/** How a manager can be told its namespaces: any and all but any, one alone, or not at all. */
export type ScopeFlags = "repeated" | "single" | "none";

export function scopeFlagsOf({ names }: Pick<ManagerFlags, "names">): ScopeFlags {
  if (!names.has("namespace")) return "none";
  return names.has("excluded-namespace") ? "repeated" : "single";
}

/** A flag's name as managers compare it: without dashes before it, with dashes in it. */
export function flagName(text: string): string {
  return text.replace(/^-+/, "").replaceAll("_", "-");
}

function flagsOf({ flags, partial = false }: KnownFlags): ManagerFlags {
  const entries = flags.split(/\s+/).map((flag) => flag.split("="));
  const counted = entries.filter(([, value]) => value !== undefined);
  return {
    names: new Set(entries.map(([name = ""]) => name)),
    concurrency: new Map(counted.map(([name = "", value]) => [name, Number(value)])),
    complete: !partial,
  };
}

function common(a: ManagerFlags, b: ManagerFlags): ManagerFlags {
  const names = new Set([...a.names].filter((name) => b.names.has(name)));
  const concurrency = new Map([...a.concurrency].filter(([name]) => b.concurrency.has(name)));
  return { names, concurrency, complete: false };
}

function incomplete(flags: ManagerFlags): ManagerFlags {
  return { ...flags, complete: false };
}

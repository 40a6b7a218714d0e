import { compareVersions, tryParseVersion } from "../versions/semantic-version.ts";
import { type KnownFlags, knownFlags } from "./known-flags.ts";

/** The known flags of a manager. */
export interface ManagerFlags {
  /** The names of all known flags. */
  readonly names: ReadonlySet<string>;
  /** The flags of concurrent reconciles, with their defaults. */
  readonly concurrency: ReadonlyMap<string, number>;
  /** Whether any other flag is an error. */
  readonly complete: boolean;
}

const nothing: ManagerFlags = { names: new Set(), concurrency: new Map(), complete: false };

/**
 * The flags of a provider's manager in a version. A version between two known ones has the flags of
 * both, a newer one those of the newest. An older version, or an unknown provider, has no known flags.
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

/** The flags of namespaces: repeated and excluded ones, one only, or none. */
export type ScopeFlags = "repeated" | "single" | "none";

export function scopeFlagsOf({ names }: Pick<ManagerFlags, "names">): ScopeFlags {
  if (!names.has("namespace")) return "none";
  return names.has("excluded-namespace") ? "repeated" : "single";
}

/** The normalized name of a flag: without leading dashes, and with dashes instead of underscores. */
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

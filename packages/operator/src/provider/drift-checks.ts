import type { KubeObject } from "@rookery/kube";
import type { MonotonicClock } from "@rookery/runtime";
import { missingRights } from "../instances/namespace-rights.ts";
import type { OwnedEntry } from "../state/install-state.ts";
import type { DriftChecks, ProviderScope } from "./scope.ts";

/** Components of kinds that nobody watches are compared this often. */
const unwatchedSeconds = 600;

/** Namespaces that are missing are looked for this often: they are not watched. */
const missingSeconds = 10;

/** When all of a release is to be compared again: for a certificate, for what nobody watches, or for rights. */
export function nextDriftCheckSeconds(
  { observe, provider }: Pick<ProviderScope, "observe" | "provider">,
  owned: readonly OwnedEntry[],
  renewAfterSeconds: number | undefined,
): number | undefined {
  const isUnwatched = owned.some((entry) => entry.fields && observe(entry) === "unwatched");
  const isMissing = missingRights(owned, provider.metadata.namespace).length > 0;
  const times = [
    ...(renewAfterSeconds === undefined ? [] : [renewAfterSeconds]),
    ...(isUnwatched ? [unwatchedSeconds] : []),
    ...(isMissing ? [missingSeconds] : []),
  ];
  return times.length === 0 ? undefined : Math.min(...times);
}

interface DriftCheck {
  readonly releaseId: string;
  /** In milliseconds of the clock. */
  readonly againAt: number | undefined;
}

/** The driftChecks of all providers. */
export interface OwnedDriftChecks extends DriftChecks {
  /** The next checkup of the provider is due at once. */
  forget(uid: string): void;
}

/**
 * Remembers, while the process lives, that all of a release was compared with the cluster: what
 * happens afterwards is heard of. After a restart each provider is compared once.
 */
export function createDriftChecks(clock: Pick<MonotonicClock, "now">): OwnedDriftChecks {
  const known = new Map<string, DriftCheck>();
  const find = ({ metadata }: KubeObject) => known.get(metadata.uid ?? "");
  const left = ({ againAt }: DriftCheck) =>
    againAt === undefined ? undefined : Math.ceil((againAt - clock.now()) / 1000);
  return {
    isDue(provider, releaseId) {
      const checkup = find(provider);
      if (checkup?.releaseId !== releaseId) return true;
      return (left(checkup) ?? 1) <= 0;
    },
    secondsLeft(provider) {
      const checkup = find(provider);
      return checkup && left(checkup);
    },
    done({ metadata }, releaseId, againAfterSeconds) {
      const againAt =
        againAfterSeconds === undefined ? undefined : clock.now() + againAfterSeconds * 1000;
      known.set(metadata.uid ?? "", { releaseId, againAt });
    },
    forget: (uid) => void known.delete(uid),
  };
}

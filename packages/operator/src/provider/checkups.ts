import type { KubeObject } from "@rookery/kube";
import type { MonotonicClock } from "@rookery/runtime";
import type { Checkups } from "./scope.ts";

interface Checkup {
  readonly releaseId: string;
  /** In milliseconds of the clock. */
  readonly againAt: number | undefined;
}

/**
 * Remembers, while the process lives, that all of a release was compared with the cluster: what
 * happens afterwards is heard of. After a restart each provider is compared once.
 */
export function createCheckups(clock: Pick<MonotonicClock, "now">): Checkups & {
  forget(uid: string): void;
} {
  const known = new Map<string, Checkup>();
  const find = ({ metadata }: KubeObject) => known.get(metadata.uid ?? "");
  const left = ({ againAt }: Checkup) =>
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

import type { KubeObject } from "@rookery/kube";
import type { MonotonicClock } from "@rookery/runtime";
import { missingRights } from "../instances/namespace-rights.ts";
import type { OwnedEntry } from "../state/install-state.ts";
import type { ProviderScope } from "./scope.ts";

/** The interval for components whose kinds are not watched. */
const unwatchedSeconds = 600;
/** The interval for missing namespaces, which are not watched. */
const missingSeconds = 10;

/** The time until all components have to be compared again; undefined if events suffice. */
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

type Clock = Pick<MonotonicClock, "now">;

interface DriftCheck {
  readonly releaseId: string;
  /** By the clock, in milliseconds. */
  readonly againAt: number | undefined;
}

/** Remembers which releases were compared with the cluster; later changes have events. */
export class DriftChecks {
  readonly #clock: Clock;
  readonly #known = new Map<string, DriftCheck>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isDue(provider: KubeObject, releaseId: string): boolean {
    const check = this.#find(provider);
    return check?.releaseId !== releaseId || (this.secondsLeft(provider) ?? 1) <= 0;
  }

  secondsLeft(provider: KubeObject): number | undefined {
    const { againAt } = this.#find(provider) ?? {};
    return againAt === undefined ? undefined : Math.ceil((againAt - this.#clock.now()) / 1000);
  }

  done({ metadata }: KubeObject, releaseId: string, againAfterSeconds: number | undefined): void {
    const isLimited = againAfterSeconds !== undefined;
    const againAt = isLimited ? this.#clock.now() + againAfterSeconds * 1000 : undefined;
    this.#known.set(metadata.uid ?? "", { releaseId, againAt });
  }

  /** The next check of the provider is due at once. */
  forget(uid: string): void {
    this.#known.delete(uid);
  }

  #find({ metadata }: KubeObject): DriftCheck | undefined {
    return this.#known.get(metadata.uid ?? "");
  }
}

interface Corrections {
  readonly count: number;
  /** By the clock, in milliseconds. */
  readonly last: number;
}

const free = 3;
const firstDelayMs = 10_000;
const longestDelayMs = 600_000;

/** Delays corrections of an object that another controller changes again each time. */
export class CorrectionBackOff {
  readonly #clock: Clock;
  readonly #corrections = new Map<string, Corrections>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The seconds until an object may be corrected again. */
  secondsLeft(object: string): number {
    const known = this.#corrections.get(object);
    if (known === undefined) return 0;
    const passed = this.#clock.now() - known.last;
    if (passed > 2 * longestDelayMs) this.#corrections.delete(object);
    return Math.max(0, Math.ceil((delayAfter(known.count) - passed) / 1000));
  }

  corrected(object: string): void {
    const count = (this.#corrections.get(object)?.count ?? 0) + 1;
    this.#corrections.set(object, { count, last: this.#clock.now() });
  }
}

function delayAfter(count: number): number {
  return count < free ? 0 : Math.min(longestDelayMs, firstDelayMs * 2 ** (count - free));
}

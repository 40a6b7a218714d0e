import type { Discovery } from "@rookery/client";
import type { Target } from "@rookery/group-suffix";
import type { Logger, MonotonicClock } from "@rookery/runtime";

export type KindScope = "namespaced" | "cluster" | "unknown";

/** Knows which resources are namespaced. */
export interface Kinds {
  /** Never rejects: "unknown" if the server does not answer. */
  scopeOf(target: KindOfPath): Promise<KindScope>;
  /** As `scopeOf`, but retries for a kind that may have just been created. */
  settledScopeOf(target: KindOfPath): Promise<KindScope>;
}

type KindOfPath = Pick<Target, "group" | "version" | "resource">;

export interface KindsOptions {
  readonly discovery: Discovery;
  readonly clock: MonotonicClock;
  readonly logger: Logger;
}

/** A CRD may be recreated with another scope. */
const freshMs = 30_000;
/** The minimum interval for unknown kinds. */
const unknownMs = 1_000;

export function createKinds({ discovery, clock, logger }: KindsOptions): Kinds {
  let known: ReadonlyMap<string, boolean> = new Map();
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    askedAt = clock.now();
    try {
      const { resources } = await discovery.discover();
      known = new Map(
        resources.map((one) => [keyOf({ ...one, resource: one.plural }), one.namespaced]),
      );
    } catch (error) {
      logger.error(error, "Could not discover which kinds are namespaced");
    }
  };
  const askOnce = (): Promise<void> => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };

  const scopeOf: Kinds["scopeOf"] = async (target) => {
    const key = keyOf(target);
    const age = clock.now() - askedAt;
    if (asking || age > freshMs || (!known.has(key) && age > unknownMs)) await askOnce();
    const namespaced = known.get(key);
    if (namespaced === undefined) return "unknown";
    return namespaced ? "namespaced" : "cluster";
  };

  return {
    scopeOf,
    async settledScopeOf(target) {
      const found = await scopeOf(target);
      if (found !== "unknown") return found;
      while (clock.now() - askedAt <= unknownMs) {
        await new Promise<void>((resolve) => clock.setTimer(resolve, unknownMs + 1));
      }
      return scopeOf(target);
    },
  };
}

function keyOf({ group, version, resource }: KindOfPath): string {
  return `${group}/${version}/${resource}`;
}

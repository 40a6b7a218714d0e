import { setTimeout as delay } from "node:timers/promises";
import type { Component, ComponentKey } from "@rookery/components";
import { type Condition, getCondition } from "@rookery/kube";
import { PhaseError } from "../../errors.ts";
import type { ProviderScope } from "../scope.ts";

const attempts = 60;
const delayMs = 100;

/** Waits a while until the kinds of CRDs are served. Errors: PhaseError. */
export async function waitUntilEstablished(
  crds: readonly ComponentKey[],
  { components, signal }: Pick<ProviderScope, "components" | "signal">,
): Promise<void> {
  let waiting = crds;
  for (let attempt = 0; waiting.length > 0; attempt++) {
    if (attempt > 0) await delay(delayMs, undefined, { signal });
    const found = await Promise.all(waiting.map((key) => components.get(key, signal)));
    const problems = found.map(whyNotEstablished);
    waiting = waiting.filter((_, index) => problems[index] !== undefined);
    if (waiting.length === 0 || attempt < attempts) continue;
    throw new PhaseError("ProviderInstalled", "ApplyFailed", {
      message: `could not establish all kinds: ${problems.filter(Boolean).join("; ")}`,
      retryAfterSeconds: 5,
    });
  }
}

function whyNotEstablished(crd: Component | undefined): string | undefined {
  if (crd === undefined) return "a CustomResourceDefinition is not there any more";
  const { conditions } = Object(crd.status) as { conditions?: readonly Condition[] };
  if (getCondition(conditions, "Established")?.status === "True") return undefined;
  const names = getCondition(conditions, "NamesAccepted");
  const why = names?.status === "False" ? names.message : "it is not established yet";
  return `${crd.metadata.name}: ${why}`;
}

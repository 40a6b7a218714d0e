import type { Provider } from "@rookery/api";
import { type Clock, type ConditionStatement, removeCondition, setCondition } from "@rookery/kube";
import type { PhaseError } from "../errors.ts";
import type { Finding } from "../provider/progress.ts";
import type { ConditionType } from "./reasons.ts";

/** What is known of a provider's conditions; what is not named stays as it is. */
export type Findings = Partial<Record<ConditionType, Finding | undefined>>;

export function findingOf({ reason, message }: PhaseError): Finding {
  return { status: "False", reason, message };
}

/** Ready follows the first condition that is not True, in the order in which things happen. */
const decisive: readonly ConditionType[] = [
  "PreflightCheckPassed",
  "ProviderFetched",
  "ProviderInstalled",
  "ProviderUpgraded",
  "ProviderAvailable",
];

export function readiness(findings: Findings): Finding {
  const obstacle = decisive
    .map((type) => findings[type])
    .find((finding) => finding !== undefined && finding.status !== "True");
  if (obstacle) return { ...obstacle, status: "False" };
  return { status: "True", reason: "Ready", message: "" };
}

/** The provider with its conditions stated, for the generation that it has. */
export function withConditions(provider: Provider, findings: Findings, clock: Clock): Provider {
  const { generation: observedGeneration = 0 } = provider.metadata;
  const stated = Object.entries(findings).reduce(
    (known, [type, finding]) =>
      finding === undefined
        ? removeCondition(known, type)
        : setCondition(
            known,
            { type, ...finding, observedGeneration } as ConditionStatement,
            clock,
          ),
    provider.status?.conditions ?? [],
  );
  const status = { ...provider.status, conditions: [...stated], observedGeneration };
  return { ...provider, status };
}

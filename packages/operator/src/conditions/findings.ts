import type { Provider } from "@rookery/api";
import {
  type Clock,
  type Finding,
  type Findings,
  isFalse,
  isTrue,
  removeCondition,
  statementsOf,
  withConditions,
} from "@rookery/kube";
import type { PhaseError } from "../errors.ts";
import type { ConditionType, Reason } from "./reasons.ts";

/** The findings of a provider's conditions. An undefined one removes the condition. */
export type ProviderFindings = Findings<ConditionType, Reason>;

export function findingOf({ reason, message }: PhaseError): Finding<Reason> {
  return isFalse(reason, message);
}

/** Ready follows the first condition that is not True, in the order in which things happen. */
const decisive: readonly ConditionType[] = [
  "PreflightCheckPassed",
  "ProviderFetched",
  "ProviderInstalled",
  "ProviderUpgraded",
  "ProviderAvailable",
];

export function readiness(findings: ProviderFindings): Finding<Reason> {
  const obstacle = decisive
    .map((type) => findings[type])
    .find((finding) => finding !== undefined && finding.status !== "True");
  return obstacle ? isFalse(obstacle.reason, obstacle.message) : isTrue("Ready");
}

/** The provider with its conditions stated, for the generation that it has. */
export function withFindings(
  provider: Provider,
  findings: ProviderFindings,
  clock: Clock,
): Provider {
  const { generation: observedGeneration = 0 } = provider.metadata;
  const { status } = withConditions(provider, statementsOf(findings), clock);
  const conditions = Object.entries(findings)
    .filter(([, finding]) => finding === undefined)
    .reduce((known, [type]) => [...removeCondition(known, type)], status?.conditions ?? []);
  return { ...provider, status: { ...status, conditions, observedGeneration } };
}

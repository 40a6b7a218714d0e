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
import { type ConditionType, phaseConditions, type Reason } from "./reasons.ts";

/** The conditions of a provider. An undefined finding removes its condition. */
export type ProviderFindings = Findings<ConditionType, Reason>;

export function findingOf({ reason, message }: PhaseError): Finding<Reason> {
  return isFalse(reason, message);
}

/** Ready follows the first condition of a phase that is not True. */
export function readiness(findings: ProviderFindings): Finding<Reason> {
  const obstacle = phaseConditions
    .map((type) => findings[type])
    .find((finding) => finding !== undefined && finding.status !== "True");
  return obstacle ? isFalse(obstacle.reason, obstacle.message) : isTrue("Ready");
}

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

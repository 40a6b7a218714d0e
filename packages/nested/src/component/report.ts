import type { NestedAPIServer } from "@rookery/api";
import { notPaused } from "@rookery/cluster-api";
import {
  type Clock,
  type ConditionStatement,
  type Finding,
  getCondition,
  isFalse,
  isTrue,
  statementsOf,
  withConditions,
} from "@rookery/kube";
import { done, type Outcome, requeueAfter } from "@rookery/runtime";
import type { ComponentObject, ComponentStatus } from "../component-object.ts";
import { ComponentError } from "../errors.ts";
import type { Deployment } from "../manifests/kinds.ts";
import type { SecretInputs } from "./secret-inputs.ts";

/** The result of a reconcile of a component. */
export interface Report {
  readonly ready: Finding;
  readonly upToDate: Finding;
  readonly others?: readonly ConditionStatement[];
  /** Further fields of the status. */
  readonly status?: object;
  /** Seconds after which to reconcile again, even if nothing changes. */
  readonly retryAfter?: number;
}

const failures = ["RolledBack", "RollOutStalled", "QuorumLost"];

/** The component with the conditions and the status of a report, and its other status fields. */
export function outcomeOf<T extends ComponentObject>(
  component: T,
  report: Report,
  clock: Clock,
): Outcome<T> {
  const { ready, upToDate, others = [], retryAfter } = report;
  const found = statementsOf({ Ready: ready, UpToDate: upToDate });
  const updated = withConditions<ComponentObject>(
    component,
    [...found, ...others, notPaused],
    clock,
  );
  const object = { ...component, status: statusOf(report, updated) };
  return { object, result: retryAfter === undefined ? done : requeueAfter(retryAfter) };
}

/** The component whose reconcile failed. It stays ready if it was ready. */
export function withFailure<T extends ComponentObject>(
  component: T,
  finding: Finding,
  clock: Clock,
): T {
  const serves = getCondition(component.status?.conditions, "Ready")?.status === "True";
  const findings = { UpToDate: finding, Ready: serves ? undefined : finding };
  return withConditions<ComponentObject>(component, statementsOf(findings), clock) as T;
}

function statusOf(report: Report, { metadata, status }: ComponentObject): ComponentStatus {
  const { ready, upToDate } = report;
  const { failureMessage: _, ...known } = status ?? {};
  const failed = [ready, upToDate].find(({ reason }) => failures.includes(reason));
  return {
    ...known,
    ...report.status,
    phase: phaseOf(report),
    ready: ready.status === "True",
    observedGeneration: metadata.generation ?? 0,
    ...(failed && { failureMessage: failed.message }),
  };
}

function phaseOf({ ready, upToDate }: Report): string {
  if (ready.reason === "Deleting" || ready.reason === "NotApplicable") return ready.reason;
  if (failures.includes(ready.reason) || failures.includes(upToDate.reason)) return "Failed";
  if (ready.reason.startsWith("WaitingFor") && ready.reason !== "WaitingForPods") return "Pending";
  if (ready.status === "False") return "Provisioning";
  return upToDate.status === "True" ? "Running" : "Updating";
}

/** The report with the authorities that all pods trust, if they are up to date. */
export function withAuthorities(report: Report, authorities: SecretInputs["authorities"]): Report {
  if (report.upToDate.status !== "True") return report;
  return { ...report, status: { ...report.status, authorities } };
}

/** Seconds until an object that the server rejected, maybe because of a quota, is applied again. */
const refusedAgain = 60;

/** One ready pod is enough. */
export function deploymentReadiness({ spec, status }: Deployment): Finding {
  const { replicas = 1 } = spec ?? {};
  const { readyReplicas = 0 } = status ?? {};
  if (readyReplicas > 0) return isTrue("Ready");
  if (replicas === 0) return isFalse("ScaledToZero", "spec.replicas is 0");
  return isFalse("WaitingForPods", `none of ${replicas} pods is ready`);
}

export function replicasOf({ status }: Pick<Deployment, "status">) {
  return { replicas: status?.replicas ?? 0, readyReplicas: status?.readyReplicas ?? 0 };
}

/** The report of a component that cannot be changed now. Rethrows other errors. */
export function blockedReport(error: unknown, serving: Finding | undefined): Report {
  if (!(error instanceof ComponentError)) throw error;
  const { reason, message } = error;
  const upToDate = isFalse(reason, message);
  const ready = serving?.status === "True" ? serving : upToDate;
  return { ready, upToDate, ...(reason === "ApplyRefused" && { retryAfter: refusedAgain }) };
}

/** The report of a component that an API server of the profile light does not need. */
export function notApplicableBeside(
  { metadata, spec }: NestedAPIServer,
  component: ComponentObject,
): Report | undefined {
  if (spec.profile !== "light") return undefined;
  const does = component.kind === "NestedEtcd" ? "keeps its data" : "runs its controllers";
  const message = `NestedAPIServer ${metadata.name} has the profile light, and ${does} itself`;
  // True, because the control plane must not wait for it.
  const finding = isTrue("NotApplicable", message);
  return { ready: finding, upToDate: finding, status: { replicas: 0, readyReplicas: 0 } };
}

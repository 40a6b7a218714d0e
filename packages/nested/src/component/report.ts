import { notPaused } from "@rookery/cluster-api";
import {
  type Clock,
  type ConditionStatement,
  type Finding,
  getCondition,
  statementsOf,
  withConditions,
} from "@rookery/kube";
import { done, type Outcome, requeueAfter } from "@rookery/runtime";
import type { ComponentObject, ComponentStatus } from "../component-object.ts";
import type { SecretInputs } from "./secret-inputs.ts";

/** The result of a reconcile of a component. */
export interface Report {
  /** Whether the component serves. */
  readonly ready: Finding;
  /** Whether the pods match the spec. */
  readonly upToDate: Finding;
  readonly others?: readonly ConditionStatement[];
  /** More of the status, of any kind of component. */
  readonly status?: object;
  /** Seconds after which to reconcile again, even if nothing changes. */
  readonly retryAfter?: number;
}

const failures = ["RolledBack", "RollOutStalled", "QuorumLost"];

/** The component with the conditions and the status of a report; other fields of the status stay. */
export function outcomeOf<T extends ComponentObject>(
  component: T,
  report: Report,
  clock: Clock,
): Outcome<T> {
  const { ready, upToDate, others = [], retryAfter } = report;
  const found = statementsOf({ Ready: ready, UpToDate: upToDate });
  const stated = withConditions<ComponentObject>(
    component,
    [...found, ...others, notPaused],
    clock,
  );
  const object = { ...component, status: statusOf(report, stated) };
  return { object, result: retryAfter === undefined ? done : requeueAfter(retryAfter) };
}

/** The component whose reconcile failed. One that serves still does: it is not up to date. */
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

/** The report with the authorities: pods that are up to date trust the present ones. */
export function withAuthorities(report: Report, authorities: SecretInputs["authorities"]): Report {
  if (report.upToDate.status !== "True") return report;
  return { ...report, status: { ...report.status, authorities } };
}

import type { ConditionStatement } from "@rookery/kube";
import type { ComponentObject, ComponentStatus } from "../component-object.ts";
import type { SecretInputs } from "./secret-inputs.ts";

/** What is said of one aspect. */
export interface Verdict {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

export const isSo = (reason: string): Verdict => ({ status: "True", reason, message: "" });
export const isNotSo = (reason: string, message: string): Verdict => ({
  status: "False",
  reason,
  message,
});

/** What a reconcile has to say. */
export interface Report {
  /** Whether the component serves. */
  readonly ready: Verdict;
  /** Whether what runs is what the spec says. */
  readonly upToDate: Verdict;
  readonly others?: readonly ConditionStatement[];
  /** More of the status, of any kind of component. */
  readonly status?: object;
  /** Look again after so many seconds, even where nothing changes. */
  readonly retryAfter?: number;
}

const failures = ["RolledBack", "RollOutStalled", "QuorumLost"];

/** The conditions of a report. */
export function statementsOf({ ready, upToDate, others = [] }: Report): ConditionStatement[] {
  return [{ type: "Ready", ...ready }, { type: "UpToDate", ...upToDate }, ...others];
}

/** The rest of the status; what is not reported stays as it is. */
export function statusOf(report: Report, component: ComponentObject): ComponentStatus {
  const { ready, upToDate } = report;
  const { failureMessage: _, ...known } = component.status ?? {};
  const failed = [ready, upToDate].find(({ reason }) => failures.includes(reason));
  return {
    ...known,
    ...report.status,
    phase: phaseOf(report),
    ready: ready.status === "True",
    observedGeneration: component.metadata.generation ?? 0,
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

/** Whatever is up to date was made with the authorities that there are. */
export function withAuthorities(report: Report, authorities: SecretInputs["authorities"]): Report {
  if (report.upToDate.status !== "True") return report;
  return { ...report, status: { ...report.status, authorities } };
}

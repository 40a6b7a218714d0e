import { type Finding, isFalse, isTrue } from "@rookery/kube";
import { ComponentError } from "../errors.ts";
import type { Deployment } from "../manifests/kinds.ts";
import type { Report } from "./report.ts";

/** Seconds after which an object that the server rejected is applied again: the reason may be a quota. */
const refusedAgain = 60;

/** Whether a Deployment serves: one pod that is ready is enough. */
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

/** The report of a component that cannot be changed; its pods keep running. Errors of other types are thrown. */
export function blockedReport(error: unknown, serving: Finding | undefined): Report {
  if (!(error instanceof ComponentError)) throw error;
  const { reason, message } = error;
  const upToDate = isFalse(reason, message);
  const ready = serving?.status === "True" ? serving : upToDate;
  return { ready, upToDate, ...(reason === "ApplyRefused" && { retryAfter: refusedAgain }) };
}

import type { NestedControlPlane } from "@rookery/api";
import { notPaused } from "@rookery/cluster-api";
import {
  type Clock,
  type Finding,
  isFalse,
  isTrue,
  statementsOf,
  withConditions,
} from "@rookery/kube";
import type { ConditionTypeOf, ReasonOf } from "../conditions.ts";

type ConditionType = ConditionTypeOf<"NestedControlPlane">;

export type ControlPlaneFinding = Finding<ReasonOf<"NestedControlPlane">>;

/** In the order in which they become true: Ready follows the first that is False. */
const decisive = [
  "ComponentsFound",
  "CertificatesAvailable",
  "EndpointAvailable",
  "KubeconfigAvailable",
  "Initialized",
  "Available",
] as const satisfies readonly ConditionType[];

/** Conditions that Ready does not depend on. */
const informative = [
  "UserKubeconfigAvailable",
  "AuthoritiesCurrent",
] as const satisfies readonly ConditionType[];

type Found = (typeof decisive)[number] | (typeof informative)[number];

export type ControlPlaneFindings = Readonly<Record<Found, ControlPlaneFinding>>;

/** The control plane with the conditions of all findings. */
export function withFindings(
  controlPlane: NestedControlPlane,
  findings: ControlPlaneFindings,
  clock: Clock,
): NestedControlPlane {
  const ordered = [...decisive, ...informative].map((type) => [type, findings[type]]);
  const statements = statementsOf({ ...Object.fromEntries(ordered), Ready: readiness(findings) });
  return withConditions(controlPlane, [...statements, notPaused], clock);
}

function readiness(findings: ControlPlaneFindings): ControlPlaneFinding {
  const obstacle = decisive.map((type) => findings[type]).find(({ status }) => status === "False");
  return obstacle ? isFalse(obstacle.reason, obstacle.message) : isTrue("Ready");
}

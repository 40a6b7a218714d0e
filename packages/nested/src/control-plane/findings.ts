import type { NestedControlPlane } from "@rookery/api";
import { notPaused } from "@rookery/cluster-api";
import { type Clock, type ConditionStatement, withConditions } from "@rookery/kube";
import type { ConditionTypeOf, ReasonOf } from "../conditions.ts";
import type { ControlPlaneError } from "../errors.ts";

type ConditionType = ConditionTypeOf<"NestedControlPlane">;
type Reason = ReasonOf<"NestedControlPlane">;

/** What is known of one condition. */
export interface Finding {
  readonly status: "True" | "False";
  readonly reason: Reason;
  readonly message: string;
}

/** In the order in which things happen: Ready follows the first that is not True. */
const decisive = [
  "ComponentsFound",
  "CertificatesAvailable",
  "EndpointAvailable",
  "KubeconfigAvailable",
  "Initialized",
  "Available",
] as const satisfies readonly ConditionType[];

/** What no one else waits for. */
const informative = [
  "UserKubeconfigAvailable",
  "AuthoritiesCurrent",
] as const satisfies readonly ConditionType[];

type Found = (typeof decisive)[number] | (typeof informative)[number];

export type Findings = Readonly<Record<Found, Finding>>;

export function well(reason: Reason): Finding {
  return { status: "True", reason, message: "" };
}

export function not(reason: Reason, message: string): Finding {
  return { status: "False", reason, message };
}

export function findingOf({ reason, message }: ControlPlaneError): Finding {
  return { status: "False", reason, message };
}

/** The control plane with all that was found of it. */
export function withFindings(
  controlPlane: NestedControlPlane,
  findings: Findings,
  clock: Clock,
): NestedControlPlane {
  const statements = decisive.map((type) => ({ type, ...findings[type] }));
  const obstacle = statements.find(({ status }) => status === "False");
  const others = informative.map((type) => ({ type, ...findings[type] }));
  const ready: ConditionStatement = { type: "Ready", ...readiness(obstacle) };
  return withConditions(controlPlane, [...statements, ...others, ready, notPaused], clock);
}

function readiness(obstacle: Finding | undefined): Finding {
  return obstacle ? not(obstacle.reason, obstacle.message) : well("Ready");
}

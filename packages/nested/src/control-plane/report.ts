import type { NestedControlPlane } from "@rookery/api";
import { notPaused } from "@rookery/cluster-api";
import {
  type Clock,
  controllerOf,
  type Finding,
  getCondition,
  isFalse,
  isTrue,
  statementsOf,
  withConditions,
} from "@rookery/kube";
import type { ConditionTypeOf, ReasonOf } from "../conditions.ts";
import type { TenantState } from "../tenant/tenants.ts";
import { type ComponentObject, type Components, componentFields, isOwnKind } from "./component.ts";
import { unavailable } from "./phases/initialize.ts";
import { unreadyComponents } from "./policies.ts";

type ConditionType = ConditionTypeOf<"NestedControlPlane">;

export type ControlPlaneFinding = Finding<ReasonOf<"NestedControlPlane">>;

/** In the order in which they become True: Ready follows the first that is False. */
const readyConditions = [
  "ComponentsFound",
  "CertificatesAvailable",
  "EndpointAvailable",
  "KubeconfigAvailable",
  "Initialized",
  "Available",
] as const satisfies readonly ConditionType[];

/** Conditions that Ready does not depend on. */
const otherConditions = [
  "UserKubeconfigAvailable",
  "AuthoritiesCurrent",
] as const satisfies readonly ConditionType[];

type Found = (typeof readyConditions)[number] | (typeof otherConditions)[number];

type ControlPlaneFindings = Readonly<Record<Found, ControlPlaneFinding>>;

/** The control plane with the conditions of all findings. */
function withFindings(
  controlPlane: NestedControlPlane,
  findings: ControlPlaneFindings,
  clock: Clock,
): NestedControlPlane {
  const ordered = [...readyConditions, ...otherConditions].map((type) => [type, findings[type]]);
  const statements = statementsOf({ ...Object.fromEntries(ordered), Ready: readiness(findings) });
  return withConditions(controlPlane, [...statements, notPaused], clock);
}

function readiness(findings: ControlPlaneFindings): ControlPlaneFinding {
  const obstacle = readyConditions
    .map((type) => findings[type])
    .find(({ status }) => status === "False");
  return obstacle ? isFalse(obstacle.reason, obstacle.message) : isTrue("Ready");
}

export interface Report {
  readonly components: Components;
  /** Undefined until the first probe. */
  readonly tenant: TenantState | undefined;
  readonly findings: Omit<ControlPlaneFindings, "Available">;
}

/** The control plane with its status, in the fields of both contracts. */
export function reported(
  controlPlane: NestedControlPlane,
  { components, tenant, findings }: Report,
  clock: Clock,
): NestedControlPlane {
  // After a start, before the first probe of the tenant, the former condition stays.
  const available =
    (tenant ? undefined : availableBefore(controlPlane)) ??
    availability({ components, tenant, findings });
  const changed = withFindings(controlPlane, { ...findings, Available: available }, clock);
  const { failureMessage: _, ...status } = changed.status ?? {};
  const isInitialized = findings.Initialized.status === "True";
  const version = versionOf(components, tenant) ?? status.version;
  const addresses = components.etcd?.status?.addresses;
  const apiserver = apiServerStatus(controlPlane, components);
  const failureMessage = failureOf(components, findings);
  return {
    ...changed,
    status: {
      ...status,
      ...(addresses && { etcd: { addresses } }),
      ...(apiserver && { apiserver }),
      initialized: isInitialized,
      initialization: { controlPlaneInitialized: isInitialized },
      ready: available.status === "True",
      externalManagedControlPlane: true,
      ...(version && { version }),
      ...(failureMessage && { failureMessage }),
    },
  };
}

/** The status of our component decides; without a component the former values stay. */
function apiServerStatus(
  { metadata, status }: NestedControlPlane,
  { apiserver: component }: Components,
) {
  if (!component) return status?.apiserver;
  const { serviceCidr } = component.spec ?? {};
  const controller = controllerOf(component);
  const isOurs = isOwnKind(component) && (!controller || controller.uid === metadata.uid);
  const endpoint = (isOurs && component.status?.endpoint) || status?.apiserver?.endpoint;
  return (
    (serviceCidr || endpoint) && {
      ...(serviceCidr && { serviceCidr }),
      ...(endpoint && { endpoint }),
    }
  );
}

function availableBefore({ status }: NestedControlPlane): ControlPlaneFinding | undefined {
  const condition = getCondition(status?.conditions, "Available");
  if (!condition || condition.status === "Unknown") return undefined;
  const { status: known, message } = condition;
  return { status: known, reason: condition.reason as ControlPlaneFinding["reason"], message };
}

function availability({ components, tenant, findings }: Report): ControlPlaneFinding {
  if (!tenant?.isReady) return unavailable(tenant);
  const { Initialized: initialized, ComponentsFound: found } = findings;
  if (initialized.status === "False") return initialized;
  if (found.status === "False") return found;
  const unready = unreadyComponents(components);
  if (unready.length === 0) return isTrue("Available");
  return isFalse("ComponentsNotReady", `not ready: ${unready.join(", ")}`);
}

/** The version of all pods; for a foreign component, that of the API server. */
function versionOf({ apiserver }: Components, tenant?: TenantState): string | undefined {
  const version = apiserver?.status?.version ?? tenant?.version;
  return version && (version.startsWith("v") ? version : `v${version}`);
}

/** Reasons that need no action of a user. */
const passing = new Set(["WaitingForOwner", "WaitingForDefaults"]);

/** The message of the first failure that needs an action. */
function failureOf(components: Components, findings: Report["findings"]): string | undefined {
  const { ComponentsFound: found, CertificatesAvailable: certificates } = findings;
  const own = [found, certificates].find(
    ({ status, reason }) => status === "False" && !passing.has(reason),
  );
  if (own) return own.message;
  return componentFields
    .map((field) => components[field]?.status?.failureMessage)
    .find((message) => message !== undefined);
}

/** The control plane that waits for the deletion of a component. */
export function removing(
  controlPlane: NestedControlPlane,
  { kind, metadata }: ComponentObject,
  clock: Clock,
): NestedControlPlane {
  const reason = "WaitingForComponents";
  const message = `${kind} ${metadata.name} is being removed`;
  const unavailable = isFalse(reason, message);
  const deleting = isTrue(reason, message);
  const findings = { Deleting: deleting, Available: unavailable, Ready: unavailable };
  const changed = withConditions(controlPlane, statementsOf(findings), clock);
  return { ...changed, status: { ...changed.status, ready: false } };
}

import type { NestedControlPlane } from "@rookery/api";
import { type Clock, controllerOf, getCondition } from "@rookery/kube";
import type { TenantState } from "../tenant/tenants.ts";
import { type Components, componentFields, isOwnKind } from "./component.ts";
import { type Finding, type Findings, not, well, withFindings } from "./findings.ts";
import { silenceOf } from "./phases/initialize.ts";
import { unreadyComponents } from "./policies.ts";

/** What a reconcile has found out about a control plane. */
export interface Report {
  readonly components: Components;
  /** Undefined where nobody has asked it yet. */
  readonly tenant: TenantState | undefined;
  readonly findings: Omit<Findings, "Available">;
}

/** The control plane with its status, in the words of both contracts. */
export function reported(
  controlPlane: NestedControlPlane,
  { components, tenant, findings }: Report,
  clock: Clock,
): NestedControlPlane {
  // A manager that has just started knows less of a tenant than its status does.
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

/** What components of ours say counts; what was said before stays, also while there is none. */
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

function availableBefore({ status }: NestedControlPlane): Finding | undefined {
  const condition = getCondition(status?.conditions, "Available");
  if (!condition || condition.status === "Unknown") return undefined;
  const { status: is, message } = condition;
  return { status: is, reason: condition.reason as Finding["reason"], message };
}

function availability({ components, tenant, findings }: Report): Finding {
  if (!tenant?.isReady) return silenceOf(tenant);
  const { Initialized: initialized, ComponentsFound: found } = findings;
  if (initialized.status === "False") return initialized;
  if (found.status === "False") return found;
  const unready = unreadyComponents(components);
  if (unready.length === 0) return well("Available");
  return not("ComponentsNotReady", `not ready: ${unready.join(", ")}`);
}

/** What the component says that all of its pods run; of a foreign one, what the API server says. */
function versionOf({ apiserver }: Components, tenant?: TenantState): string | undefined {
  const version = apiserver?.status?.version ?? tenant?.version;
  return version && (version.startsWith("v") ? version : `v${version}`);
}

const mendable = new Set(["WaitingForOwner", "WaitingForDefaults"]);

/** What somebody has to do something about. */
function failureOf(components: Components, findings: Report["findings"]): string | undefined {
  const { ComponentsFound: found, CertificatesAvailable: certificates } = findings;
  const own = [found, certificates].find(
    ({ status, reason }) => status === "False" && !mendable.has(reason),
  );
  if (own) return own.message;
  return componentFields
    .map((field) => components[field]?.status?.failureMessage)
    .find((message) => message !== undefined);
}

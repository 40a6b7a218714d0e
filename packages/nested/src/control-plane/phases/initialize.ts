import { RequestError } from "@rookery/http";
import { StatusError } from "@rookery/kube";
import type { ClusterConfiguration } from "../../tenant/kubeadm-config.ts";
import type { TenantState } from "../../tenant/tenants.ts";
import { type ComponentObject, isReady } from "../component.ts";
import { type Finding, not, well } from "../findings.ts";
import { addressOf, type EndpointOptions, endpointOf } from "../policies.ts";
import type { ControlPlaneDependencies, ControlPlaneScope } from "../scope.ts";
import { usualServiceCidr } from "./secure.ts";

type Dependencies = Pick<ControlPlaneDependencies, "tenants" | "upload" | "allowedHosts">;

/** How far the tenant's own API server is. */
export interface Initialization {
  readonly finding: Finding;
  /** Undefined where the manager has just begun to ask: what was known before still counts. */
  readonly tenant: TenantState | undefined;
}

/**
 * Tells a tenant that answers about itself. What was initialized once stays so: Cluster API asks for
 * that only in the beginning.
 */
export async function initialize(
  scope: ControlPlaneScope,
  apiServer: ComponentObject | undefined,
  { signal, ...dependencies }: Dependencies & { readonly signal: AbortSignal },
): Promise<Initialization> {
  const { tenants } = dependencies;
  const tenant = tenants.state(scope.key);
  const wasInitialized = scope.controlPlane.status?.initialized === true;
  if (!tenant?.isReady) {
    if (apiServer && isReady(apiServer)) tenants.hurry(scope.key);
    return { finding: wasInitialized ? well("Initialized") : silenceOf(tenant), tenant };
  }
  try {
    const { allowedHosts } = dependencies;
    const configuration = configurationOf(scope, { apiServer, tenant, allowedHosts });
    await dependencies.upload(scope.key, configuration, signal);
    return { finding: well("Initialized"), tenant };
  } catch (error) {
    if (!(error instanceof RequestError || error instanceof StatusError)) throw error;
    const finding = wasInitialized ? well("Initialized") : not("UploadFailed", error.message);
    return { finding, tenant };
  }
}

/** What is said of a tenant that does not answer. */
export function silenceOf(tenant: TenantState | undefined): Finding {
  const why = tenant ? `: ${tenant.why}` : " yet";
  return not("WaitingForAPIServer", `the API server does not answer${why}`);
}

function configurationOf(
  { controlPlane, owner, cluster }: ControlPlaneScope,
  {
    apiServer,
    tenant: { version = "" },
    allowedHosts,
  }: Omit<EndpointOptions, "controlPlane"> & { readonly tenant: TenantState },
): ClusterConfiguration {
  const endpoint = endpointOf({ controlPlane, apiServer, allowedHosts });
  const pods = owner.spec?.clusterNetwork?.pods?.cidrBlocks ?? [];
  return {
    cluster,
    version,
    endpoint: "host" in endpoint ? addressOf(endpoint) : "",
    serviceCidr: apiServer?.spec?.serviceCidr ?? usualServiceCidr,
    ...(pods.length > 0 && { podCidr: pods.join(",") }),
  };
}

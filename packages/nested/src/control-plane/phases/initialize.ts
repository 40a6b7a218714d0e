import { RequestError } from "@rookery/http";
import { isFalse, isTrue, StatusError } from "@rookery/kube";
import type { TenantState } from "../../tenant/tenants.ts";
import type { ClusterConfiguration } from "../../tenant/uploads.ts";
import { type ComponentObject, isReady } from "../component.ts";
import { addressOf, type EndpointOptions, endpointOf } from "../policies.ts";
import type { ControlPlaneFinding } from "../report.ts";
import type { ControlPlaneScope, OwnedControlPlane } from "../scope.ts";
import { defaultServiceCidr } from "./pki-scope.ts";

type Scope = Pick<ControlPlaneScope, "tenants" | "upload" | "allowedHosts">;

export interface Initialization {
  readonly finding: ControlPlaneFinding;
  /** Undefined until the first probe: the former status stays. */
  readonly tenant: TenantState | undefined;
}

/** Uploads kubeadm-config to a ready tenant. A tenant stays initialized once it was. */
export async function initialize(
  plane: OwnedControlPlane,
  apiServer: ComponentObject | undefined,
  scope: Scope,
): Promise<Initialization> {
  const { tenants } = scope;
  const tenant = tenants.state(plane.key);
  const wasInitialized = plane.controlPlane.status?.initialized === true;
  if (!tenant?.isReady) {
    if (apiServer && isReady(apiServer)) tenants.hurry(plane.key);
    return { finding: wasInitialized ? isTrue("Initialized") : unavailable(tenant), tenant };
  }
  try {
    const { allowedHosts } = scope;
    const configuration = configurationOf(plane, { apiServer, tenant, allowedHosts });
    await scope.upload(plane.key, configuration);
    return { finding: isTrue("Initialized"), tenant };
  } catch (error) {
    if (!(error instanceof RequestError || error instanceof StatusError)) throw error;
    const finding = wasInitialized ? isTrue("Initialized") : isFalse("UploadFailed", error.message);
    return { finding, tenant };
  }
}

/** The finding of a tenant that does not answer. */
export function unavailable(tenant: TenantState | undefined): ControlPlaneFinding {
  const why = tenant ? `: ${tenant.why}` : " yet";
  return isFalse("WaitingForAPIServer", `the API server does not answer${why}`);
}

function configurationOf(
  { controlPlane, owner, cluster }: OwnedControlPlane,
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
    serviceCidr: apiServer?.spec?.serviceCidr ?? defaultServiceCidr,
    ...(pods.length > 0 && { podCidr: pods.join(",") }),
  };
}

import { type Finding, isFalse, isTrue } from "@rookery/kube";
import type { HostCluster } from "../kinds/host-cluster.ts";

/** Whether machines can be created for the cluster. */
export function readiness({ spec }: HostCluster): Finding {
  if (spec?.controlPlaneEndpoint) return isTrue("Provisioned");
  const why = "set spec.controlPlaneEndpoint to the host and port of the cluster's API server";
  return isFalse("EndpointMissing", why);
}

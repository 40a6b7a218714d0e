import type { LoadBalancerIngress, Service } from "@rookery/api";
import { builtInResources, deepEqual, storedObject } from "@rookery/kube";
import { type Controller, requestForEntry } from "@rookery/runtime";
import { type ControllerContext, fieldManager } from "../context/context.ts";
import { createStoreController } from "../context/store-controller.ts";

/**
 * Publishes the cluster IP of Services of type LoadBalancer as their external address: all clients are
 * on this machine. Services with a loadBalancerClass belong to other controllers.
 */
export function createLoadBalancerController(context: ControllerContext): Controller {
  const { store, client } = context;
  return createStoreController(context, {
    name: "service-lb-controller",
    watches: { services: requestForEntry },
    reconcile: async (key, signal) => {
      const service = storedObject<Service>(store, { resource: "services", ...key });
      if (service === undefined || service.spec?.loadBalancerClass !== undefined) return;
      const wanted = ingressOf(service);
      const current = service.status?.loadBalancer?.ingress ?? [];
      if (deepEqual(addressesOf(current), addressesOf(wanted))) return;
      const patch = { status: { loadBalancer: { ingress: wanted.length > 0 ? wanted : null } } };
      const { status } = client.resource(builtInResources.services);
      await status.patch(key, { type: "merge", patch }, { fieldManager, signal });
    },
  });
}

function ingressOf({ spec = {} }: Service): readonly LoadBalancerIngress[] {
  if (spec.type !== "LoadBalancer") return [];
  return (spec.clusterIPs ?? []).filter((ip) => ip !== "None").map((ip) => ({ ip }));
}

function addressesOf(ingress: readonly LoadBalancerIngress[]): readonly string[] {
  return ingress.map(({ ip = "" }) => ip);
}

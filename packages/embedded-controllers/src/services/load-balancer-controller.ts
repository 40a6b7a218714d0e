import type { LoadBalancerIngress, Service } from "@rookery/api";
import { builtInResources, deepEqual, storedObject } from "@rookery/kube";
import {
  type Controller,
  createController,
  createStoreSource,
  done,
  requestForEntry,
} from "@rookery/runtime";
import { type ControllerContext, fieldManager } from "../context/context.ts";
import { isOvertaken } from "../context/overtaken.ts";

/**
 * Gives Services of type LoadBalancer their own cluster IP as the address from outside: on one
 * machine nobody is outside. Those of another class are left to whoever serves that.
 */
export function createLoadBalancerController(context: ControllerContext): Controller {
  const { store, client } = context;
  return createController({
    name: "service-lb-controller",
    logger: context.logger,
    sources: [createStoreSource({ store, resource: "services", requestsOf: requestForEntry })],
    reconcile: async ({ namespace = "", name }, signal) => {
      const service = storedObject<Service>(store, { resource: "services", namespace, name });
      if (service === undefined || service.spec?.loadBalancerClass !== undefined) return done;
      const wanted = ingressOf(service);
      const current = service.status?.loadBalancer?.ingress ?? [];
      if (deepEqual(addressesOf(current), addressesOf(wanted))) return done;
      const patch = { status: { loadBalancer: { ingress: wanted.length > 0 ? wanted : null } } };
      try {
        const { status } = client.resource(builtInResources.services);
        const options = { fieldManager, signal };
        await status.patch({ namespace, name }, { type: "merge", patch }, options);
      } catch (error) {
        if (!isOvertaken(error)) throw error;
      }
      return done;
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

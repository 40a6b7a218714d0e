import type { Kubernetes } from "../kubernetes.ts";
import { waitFor } from "../process/wait-for.ts";

interface PodList {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly namespace: string };
    readonly spec: { readonly nodeName?: string };
  }[];
}

/**
 * Ends all pods of the node in good order, within a second each. Those that do not end in time are
 * left to be killed with their cgroup.
 */
export async function endPods(kubernetes: Kubernetes): Promise<void> {
  const body = { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 1 };
  for (const path of await podsOnNode(kubernetes))
    await kubernetes.request("DELETE", path, { body });
  const gone = async () => (await podsOnNode(kubernetes)).length === 0;
  await waitFor(gone, { what: "the pods to end", timeout: 30_000, interval: 200 }).catch(() => {});
}

async function podsOnNode(kubernetes: Kubernetes): Promise<string[]> {
  const { items } = (await kubernetes.request("GET", "/api/v1/pods")).body as PodList;
  return items
    .filter((pod) => pod.spec.nodeName !== undefined)
    .map(({ metadata }) => `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`);
}

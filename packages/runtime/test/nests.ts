import { type Client, createClient, loadConfig, type TransportOptions } from "@rookery/client";
import type { KubeObject, ObjectMeta, Resource } from "@rookery/kube";
import type { CustomResourceDefinition, Kubernetes } from "@rookery/testing";

export interface Nest extends KubeObject<{ readonly eggs?: number }> {}

export const nests: Resource = {
  group: "runtime.testing.rookery.dev",
  version: "v1",
  kind: "Nest",
  plural: "nests",
  singular: "nest",
  namespaced: true,
};

export const nestsCrd: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${nests.plural}.${nests.group}` },
  spec: {
    group: nests.group,
    scope: "Namespaced",
    names: { plural: nests.plural, singular: nests.singular, kind: nests.kind },
    versions: [
      {
        name: nests.version,
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { eggs: { type: "integer" } } },
            },
          },
        },
      },
    ],
  },
};

export function nest(metadata: ObjectMeta, eggs = 0): Nest {
  return { apiVersion: `${nests.group}/${nests.version}`, kind: "Nest", metadata, spec: { eggs } };
}

/** A client that acts as the administrator. */
export async function adminClient(
  { kubeconfig }: Kubernetes,
  options: TransportOptions = {},
): Promise<Client> {
  return createClient(await loadConfig({ path: kubeconfig }), options);
}

/** Does something with each of many, so many at a time. */
export async function inParallel<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: 32 }, worker));
}

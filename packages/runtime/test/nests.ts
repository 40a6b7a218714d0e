import { type Client, createClient, loadConfig, type TransportOptions } from "@rookery/client";
import {
  builtInResources,
  type Condition,
  type KubeObject,
  type ObjectMeta,
  type Resource,
} from "@rookery/kube";
import type { CustomResourceDefinition, Kubernetes } from "@rookery/testing";

interface NestSpec {
  readonly eggs?: number;
  /** Whether its reconcile waits until this is no more. */
  readonly hold?: boolean;
}

interface NestStatus {
  readonly eggs?: number;
  readonly holding?: boolean;
  readonly conditions?: readonly Condition[];
}

export interface Nest extends KubeObject<NestSpec, NestStatus> {}

export const nests: Resource = {
  group: "runtime.testing.rookery.dev",
  version: "v1",
  kind: "Nest",
  plural: "nests",
  singular: "nest",
  namespaced: true,
};

export const { configMaps } = builtInResources;

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
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: { eggs: { type: "integer" }, hold: { type: "boolean" } },
              },
              status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
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

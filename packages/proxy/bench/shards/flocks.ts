import type { KubeObject, Resource } from "@rookery/kube";
import type { CustomResourceDefinition } from "@rookery/testing";

/** ROOKERY_BENCH_OBJECTS makes a quick trial. */
export const objectCount = Number(process.env.ROOKERY_BENCH_OBJECTS ?? 30_000);

export const flocks: Resource = {
  group: "bench.rookery.dev",
  version: "v1",
  kind: "Flock",
  plural: "flocks",
  singular: "flock",
  namespaced: true,
};

/** Each of ten instances has ten of them. */
export const namespaces = Array.from({ length: 100 }, (_, index) => `bench-tenant-${index}`);
export const shard = namespaces.slice(0, namespaces.length / 10);
/** As many, without objects: what an instance holds that has nothing to do. */
export const emptyShard = shard.map((_, index) => `bench-empty-${index}`);

const preserved = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

export const flocksCrd: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${flocks.plural}.${flocks.group}` },
  spec: {
    group: flocks.group,
    scope: "Namespaced",
    names: { plural: flocks.plural, singular: flocks.singular, kind: flocks.kind },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: preserved } }],
  },
};

/** About 2 KB as the server sends it, managed fields included. */
export function flock(index: number): KubeObject {
  const fields = Array.from({ length: 12 }, (_, i) => [
    `field-${i}`,
    { value: `${index}`, seen: i },
  ]);
  return {
    apiVersion: `${flocks.group}/v1`,
    kind: flocks.kind,
    metadata: { name: `flock-${index}`, namespace: namespaces[index % namespaces.length] ?? "" },
    spec: { ...Object.fromEntries(fields), notes: "x".repeat(400) },
  } as KubeObject;
}

import type { ApiServerOptions, ServedResource } from "@rookery/apiserver";
import type { KubeObject } from "@rookery/kube";
import { createTestServer } from "./asking.ts";
import { greetingGroup } from "./greetings.ts";
import { MemoryStore } from "./memory-store.ts";

export const group = "greetings.testing.rookery.dev";
export const path = `/apis/${group}/v1/greetings`;

/** What an Accept header says to get another kind than the object's own. */
export function asKind(kind: string): { readonly accept: string } {
  return { accept: `application/json;as=${kind};v=v1;g=meta.k8s.io` };
}

export function greeting(changes: Partial<KubeObject> = {}): KubeObject {
  return {
    apiVersion: `${group}/v1`,
    kind: "Greeting",
    metadata: { name: "x" },
    spec: { name: "penguin" },
    ...changes,
  };
}

/** A server of greetings that are kept in memory. */
export function createStored(
  changes: Partial<ServedResource> = {},
  options: Partial<ApiServerOptions> = {},
) {
  const store = new MemoryStore({ group, resource: "greetings" });
  const resource = { handlers: store.handlers, supportsDryRun: true, ...changes };
  return { ...createTestServer({ groups: [greetingGroup(group, resource)], ...options }), store };
}

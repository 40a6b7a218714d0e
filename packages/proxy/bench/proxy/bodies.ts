/** What the cluster calls the group of widgets, and what the app does. */
const realGroup = "shop.team1.example.com";
export const virtualGroup = "shop.example.dev";

/** Fields of a manager, as long as they are in real objects. */
const fieldsV1 = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [`f:field${index}`, { "f:value": {}, "f:name": {} }]),
);

const metadata = (name: string, apiVersion: string) => ({
  name,
  namespace: "default",
  uid: "5a4a2e5f-3c35-4a45-9c5d-0e2f8d7d9b10",
  resourceVersion: "123456",
  generation: 3,
  creationTimestamp: "2026-01-01T00:00:00Z",
  labels: { app: "shop", "app.kubernetes.io/instance": name },
  managedFields: [
    { manager: "app", operation: "Update", apiVersion, fieldsType: "FieldsV1", fieldsV1 },
  ],
});

/** A custom resource of about 2.5 KB. */
export function widget(name: string) {
  const apiVersion = `${realGroup}/v1`;
  const owner = { apiVersion, kind: "Widget", name: "parent", uid: "a", controller: true };
  return {
    apiVersion,
    kind: "Widget",
    metadata: { ...metadata(name, apiVersion), ownerReferences: [owner] },
    spec: { size: 3, replicas: 2, color: "grey", notes: "x".repeat(600) },
    status: { conditions: [{ type: "Ready", status: "True", message: "it is ready" }] },
  };
}

/** About 1.2 MB with 500 of them. */
export function listOf(count: number) {
  const items = Array.from({ length: count }, (_, index) => widget(`w${index}`));
  return {
    apiVersion: `${realGroup}/v1`,
    kind: "WidgetList",
    metadata: { resourceVersion: "1" },
    items,
  };
}

/** An object that names no group of the mapping. */
export function pod(name: string) {
  const containers = [{ name: "c", image: "none", args: ["x".repeat(600)] }];
  return { apiVersion: "v1", kind: "Pod", metadata: metadata(name, "v1"), spec: { containers } };
}

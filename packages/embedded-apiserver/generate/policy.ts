/**
 * Writes src/generated/bootstrap-policy.json: the roles, bindings and priority classes that a fresh
 * kube-apiserver brings along.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KubeObject } from "@rookery/kube";
import { startKubernetes, waitFor } from "@rookery/testing";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const paths = [
  "/apis/scheduling.k8s.io/v1/priorityclasses",
  `${rbac}/clusterroles`,
  `${rbac}/clusterrolebindings`,
  `${rbac}/roles`,
  `${rbac}/rolebindings`,
];

await using kubernetes = await startKubernetes({ private: true, controllerManager: false });
await waitFor(async () => (await kubernetes.request("GET", "/readyz")).status === 200, {
  what: "the hooks of kube-apiserver",
});
const objects: KubeObject[] = [];
for (const path of paths) {
  const { body } = await kubernetes.request("GET", path);
  const { apiVersion, kind, items } = body as KubeObject & { items: KubeObject[] };
  const ofKind = kind.replace(/List$/, "");
  for (const item of items)
    objects.push(withoutSystemFields({ ...item, apiVersion, kind: ofKind }));
}
const text = objects.map((object) => JSON.stringify(object)).join(",\n");
const target = join(import.meta.dirname, "../src/generated/bootstrap-policy.json");
writeFileSync(target, `[\n${text}\n]\n`);
console.log(`${objects.length} objects of ${kubernetes.version}`);

function withoutSystemFields({ apiVersion, kind, metadata, ...rest }: KubeObject): KubeObject {
  const { uid, resourceVersion, creationTimestamp, managedFields, generation, ...own } = metadata;
  return { apiVersion, kind, metadata: own, ...rest };
}

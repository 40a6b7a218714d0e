/**
 * Writes src/generated/openapi-models.json.gz: the OpenAPI models of built-in kinds, with descriptions,
 * from a kube-apiserver that runs: the documents in its source lack what it adds, such as enums.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { startKubernetes } from "@rookery/testing";
import { modelOf, servedKinds } from "./served-kinds.ts";

const groups = [
  ...["admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "apps"],
  ...["authentication.k8s.io", "authorization.k8s.io", "batch", "certificates.k8s.io"],
  ...["coordination.k8s.io", "discovery.k8s.io", "events.k8s.io", "networking.k8s.io", "policy"],
  ...["rbac.authorization.k8s.io", "scheduling.k8s.io", "storage.k8s.io"],
];
const documents = ["api/v1", ...groups.map((group) => `apis/${group}/v1`)];

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";
/** What every group has beside its kinds. */
const shared = ["APIResourceList", "DeleteOptions", "Patch", "Status", "WatchEvent"];

const kindsKey = "x-kubernetes-group-version-kind";

interface Model extends Record<string, unknown> {
  readonly [kindsKey]?: readonly { readonly group: string; readonly version: string }[];
}

const models = new Map<string, Model>();
await using kubernetes = await startKubernetes({ private: true, controllerManager: false });
for (const each of documents) {
  const { body } = await kubernetes.request("GET", `/openapi/v3/${each}`);
  const { schemas } = (body as { components: { schemas: Record<string, Model> } }).components;
  for (const [name, model] of Object.entries(schemas)) models.set(name, model);
}
const served = new Set(["v1", "autoscaling/v1", ...groups.map((group) => `${group}/v1`)]);
const wanted = new Map<string, Model>();
for (const each of shared) take(`${meta}.${each}`);
for (const [goPackage, kinds] of Object.entries(servedKinds)) {
  for (const kind of kinds) {
    take(modelOf(goPackage, kind));
    if (models.has(modelOf(goPackage, `${kind}List`))) take(modelOf(goPackage, `${kind}List`));
  }
}
const sorted = [...wanted].toSorted(([a], [b]) => (a < b ? -1 : 1));
const text = JSON.stringify(Object.fromEntries(sorted));
const path = join(import.meta.dirname, "../src/generated/openapi-models.json.gz");
writeFileSync(path, gzipSync(text, { level: 9 }));
console.log(`${wanted.size} models, ${text.length} characters`);

/** Takes a model and those that it refers to. */
function take(name: string): void {
  if (wanted.has(name)) return;
  const model = models.get(name);
  if (model === undefined) throw new Error(`could not find the model ${name}`);
  wanted.set(name, withServedKinds(model));
  for (const [, reference = ""] of JSON.stringify(model).matchAll(
    /#\/components\/schemas\/([^"]+)/g,
  )) {
    take(reference);
  }
}

/** Options and statuses are of every group, also of those that are not served. */
function withServedKinds(model: Model): Model {
  const kinds = model[kindsKey];
  if (kinds === undefined) return model;
  const isServed = ({ group, version }: { group: string; version: string }) =>
    served.has(group === "" ? version : `${group}/${version}`);
  return { ...model, [kindsKey]: kinds.filter(isServed) };
}

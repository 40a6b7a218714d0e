/**
 * Writes src/generated/internal-types.json: structs as kube-apiserver has them inside. Its errors show
 * them by their Go names. They have no tags, so that their source is enough.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { goModuleSource } from "@rookery/testing";

/** The structs that errors show, by the package that declares them. */
const roots: Readonly<Record<string, readonly string[]>> = {
  core: [
    "PodTemplateSpec",
    "PersistentVolumeSource",
    "EventSource",
    "HostIP",
    "NodeAddress",
    "ServicePort",
    "Taint",
  ],
  apps: ["DeploymentStrategy", "DaemonSetUpdateStrategy", "StatefulSetUpdateStrategy"],
  authorization: ["NonResourceAttributes"],
  batch: ["PodFailurePolicy", "SuccessPolicy", "UncountedTerminatedPods"],
  policy: ["PodDisruptionBudgetSpec"],
  rbac: ["RoleRef"],
  storage: ["VolumeAttachmentSpec"],
  apiextensions: ["CustomResourceDefinitionVersion"],
};
/** Types of other packages, which are shown as they are in JSON. */
const foreign: Readonly<Record<string, string>> = {
  "metav1.ObjectMeta": "json",
  "metav1.LabelSelector": "json",
  "metav1.Time": "time",
  "resource.Quantity": "quantity",
  "intstr.IntOrString": "intOrString",
  "types.UID": "string",
  JSON: "any",
  CustomResourceSubresourceStatus: "any",
};
const scalars: Readonly<Record<string, string>> = {
  string: "string",
  bool: "bool",
  int: "int",
  int32: "int",
  int64: "int",
  float64: "int",
};

/** Fields in their order: a name, "" where it is embedded, and a type such as "[]Container". */
type Fields = readonly (readonly [name: string, type: string])[];

const structs = new Map<string, Fields>();
const named = new Map<string, string>();
const reached: Record<string, Fields> = {};
for (const [name, types] of Object.entries(roots)) {
  await readPackage(name);
  for (const root of types) reach(root);
}
const folder = join(import.meta.dirname, "../src/generated");
writeFileSync(join(folder, "internal-types.json"), `${JSON.stringify(reached)}\n`);

/** Types of a later package are those of the core where only the core declares them. */
async function readPackage(name: string): Promise<void> {
  const isExtension = name === "apiextensions";
  const module = isExtension ? "apiextensions-apiserver@v0.34.4" : "kubernetes@v1.34.4";
  const folder = join(await goModuleSource(`k8s.io/${module}`), "pkg/apis", name);
  const files = isExtension ? ["types.go", "types_jsonschema.go"] : ["types.go"];
  const text = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
  const source = text.replace(/\/\/.*$/gm, "");
  for (const [, name = "", body = ""] of source.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)) {
    structs.set(name, fieldsOf(body));
  }
  for (const [, name = "", type = ""] of source.matchAll(/^type (\w+) ((?!struct\b).+)$/gm)) {
    named.set(name, type);
  }
}

function fieldsOf(body: string): Fields {
  return body
    .split("\n")
    .map((line) => line.replace(/`.*`/, "").trim())
    .filter((line) => line !== "")
    .map((line) => {
      const [name = "", ...type] = line.split(/\s+/);
      const own = type.join(" ").replace(/\b(?:api|core)\./, "");
      return own === "" ? ["", name] : [name, own];
    });
}

function reach(name: string): void {
  const fields = structs.get(name);
  if (!fields || reached[name]) return;
  reached[name] = fields.map(([field, type]) => [field, resolved(type)]);
  for (const [, type] of fields) reach(elementOf(resolved(type)));
}

/** A type by what it is made of: "*", "[]" or "map" before a scalar or a struct. */
function resolved(type: string): string {
  const [, prefix = "", element = ""] = /^(\*|\[\]|map\[\w+\])?(.+)$/.exec(type) ?? [];
  if (prefix !== "") return `${prefix.startsWith("map") ? "map " : prefix}${resolved(element)}`;
  const known = scalars[type] ?? foreign[type];
  if (known) return known;
  if (structs.has(type)) return type;
  const other = named.get(type);
  if (other === undefined)
    throw new Error(`could not resolve the Go type ${type}: it is not known`);
  return resolved(other);
}

function elementOf(type: string): string {
  return type.replace(/^(?:\*|\[\]|map )+/, "");
}

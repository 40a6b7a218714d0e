import { createHash } from "node:crypto";
import { addonsGroup } from "@rookery/cluster-api";
import type { KubeObject } from "@rookery/kube";
import { parseYamlValues, YamlError } from "@rookery/yaml";
import { ResourceError } from "../../errors.ts";
import type { DataObject } from "../scope.ts";

const secretType = `${addonsGroup}/resource-set`;

/** The values of a ConfigMap or Secret in the order of their keys. Throws a ResourceError. */
export function valuesOf({ kind, metadata, type, data }: DataObject): readonly Buffer[] {
  const what = `${kind} ${metadata.namespace}/${metadata.name}`;
  if (kind === "Secret" && type !== secretType) {
    const why = `its type has to be ${secretType}, and is ${type ?? "none"}`;
    throw new ResourceError("WrongSecretType", what, why);
  }
  if (!data) throw new ResourceError("Unreadable", what, "it has no data");
  const encoding = kind === "Secret" ? "base64" : "utf8";
  return Object.keys(data)
    .sort()
    .map((key) => Buffer.from(data[key] ?? "", encoding));
}

/** The hash by which Cluster API notices changed values. */
export function hashOf(values: readonly Buffer[]): string {
  const hash = createHash("sha256");
  for (const value of values) hash.update(value);
  return `sha256:${hash.digest("hex")}`;
}

/** The objects that a ConfigMap or Secret holds as YAML or JSON. Throws a ResourceError. */
export function objectsIn({ kind, metadata }: DataObject, values: readonly Buffer[]): KubeObject[] {
  const what = `${kind} ${metadata.namespace}/${metadata.name}`;
  return values.flatMap((value) => {
    const contents = contentsOf(value.toString("utf8"), what);
    const objects = contents.flatMap((content) => content ?? []);
    return objects.map((object) => checked(object, what)).sort(compare);
  });
}

function contentsOf(text: string, what: string): unknown[] {
  try {
    return parseYamlValues(text);
  } catch (error) {
    if (error instanceof YamlError) throw new ResourceError("Unreadable", what, error.message);
    throw error;
  }
}

function checked(object: unknown, what: string): KubeObject {
  const { apiVersion, kind, metadata } = (object ?? {}) as Partial<KubeObject>;
  if (typeof apiVersion !== "string" || typeof kind !== "string" || !metadata?.name) {
    const why = "it holds something that has no apiVersion, kind and name";
    throw new ResourceError("Unreadable", what, why);
  }
  return object as KubeObject;
}

/** Kinds that other kinds need are applied before them. */
const first = [
  "Namespace",
  "ResourceQuota",
  "StorageClass",
  "CustomResourceDefinition",
  "MutatingWebhookConfiguration",
  "ServiceAccount",
  "Role",
  "ClusterRole",
  "RoleBinding",
  "ClusterRoleBinding",
  "ConfigMap",
  "Secret",
  "Endpoints",
  "Service",
  "LimitRange",
  "PriorityClass",
  "PersistentVolume",
  "PersistentVolumeClaim",
  "Deployment",
  "StatefulSet",
  "CronJob",
  "PodDisruptionBudget",
];

function compare(left: KubeObject, right: KubeObject): number {
  return placeOf(left) - placeOf(right);
}

function placeOf({ kind }: KubeObject): number {
  const place = first.indexOf(kind);
  return place < 0 ? first.length : place;
}

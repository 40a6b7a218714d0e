import type {
  BuiltInCustomResourceDefinitionVersion,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionStatus,
} from "@rookery/api";
import { compiledSchema } from "@rookery/apiserver";
import { deepEqual, type KubeObject } from "@rookery/kube";
import { applyDefaults, type JSONObject, type JSONSchemaProps, prune } from "@rookery/schema";
import { isCrdConditionTrue } from "../kinds/apiextensions/conditions.ts";

export const crdResource = "customresourcedefinitions.apiextensions.k8s.io";

/** A stored CustomResourceDefinition. */
export type Crd = KubeObject<CustomResourceDefinitionSpec, CustomResourceDefinitionStatus>;

export type CrdVersion = BuiltInCustomResourceDefinitionVersion;

export const versionsOf = (crd: Crd): readonly CrdVersion[] => crd.spec?.versions ?? [];

export const groupOf = (crd: Crd): string => crd.spec?.group ?? "";

/** Objects are served once the names are accepted. */
export function isServed(crd: Crd): boolean {
  return isCrdConditionTrue(crd, "NamesAccepted") || isCrdConditionTrue(crd, "Established");
}

const preserving: JSONSchemaProps = {
  type: "object",
  "x-kubernetes-preserve-unknown-fields": true,
};

/** The schema of a version: the same object while the CRD does not change. */
export function schemaOf({ schema }: CrdVersion): JSONSchemaProps {
  return schema?.openAPIV3Schema ?? preserving;
}

export function apiVersionOf(crd: Crd, version: CrdVersion): string {
  return `${groupOf(crd)}/${version.name ?? ""}`;
}

export function storageVersionOf(crd: Crd): CrdVersion {
  return versionsOf(crd).find(({ storage }) => storage) ?? {};
}

/**
 * Prunes and defaults an object that was stored or converted by the current schema. Returns the same
 * object without a change.
 */
export function completeObject(object: KubeObject, schema: JSONSchemaProps): KubeObject {
  const compiled = compiledSchema(schema);
  const { object: pruned, unknownFields } = prune(compiled, object as unknown as JSONObject);
  const known = unknownFields.length === 0 ? (object as unknown as JSONObject) : pruned;
  const complete = applyDefaults(compiled, known) as unknown as KubeObject;
  return complete === object || deepEqual(complete, object) ? object : complete;
}

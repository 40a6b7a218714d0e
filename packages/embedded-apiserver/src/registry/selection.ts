import type { ListOptions } from "@rookery/apiserver";
import { type KubeObject, validateDns1123Label, validatePathSegmentName } from "@rookery/kube";
import type { StorageOptions } from "./storage-options.ts";

/** The namespace and name that a list or a watch selects. */
export interface ListScope {
  /** "" for all. */
  readonly namespace: string;
  /** Set if only one object can match. */
  readonly name: string | undefined;
}

/** The request's scope, narrowed by a field selector for one namespace or name. */
export function listScopeOf(
  namespace: string,
  { fieldSelector }: ListOptions,
  { namespaced }: StorageOptions,
): ListScope {
  const selected = fieldSelector.requiredValue("metadata.namespace") ?? "";
  const narrows = namespaced && namespace === "" && validateDns1123Label(selected).length === 0;
  const within = narrows ? selected : namespace;
  const name = fieldSelector.requiredValue("metadata.name") ?? "";
  const isOne = name !== "" && validatePathSegmentName(name).length === 0;
  return { namespace: within, name: isOne && (!namespaced || within !== "") ? name : undefined };
}

/** Whether an object is selected; undefined if all are. */
export type Matches = (object: KubeObject) => boolean;

export function matchesOf(
  { labelSelector, fieldSelector }: ListOptions,
  options: StorageOptions,
): Matches | undefined {
  if (labelSelector.isEmpty && fieldSelector.isEmpty) return undefined;
  const names = [...new Set(fieldSelector.requirements.map(({ field }) => field))];
  const read = names.map((name) => [name, fieldReader(name, options)] as const);
  return (object) => {
    if (!labelSelector.matches(object.metadata.labels ?? {})) return false;
    if (read.length === 0) return true;
    return fieldSelector.matches(
      Object.fromEntries(read.map(([name, value]) => [name, value(object)])),
    );
  };
}

function fieldReader(
  field: string,
  { namespaced, rules }: StorageOptions,
): (object: KubeObject) => string {
  if (field === "metadata.name") return ({ metadata }) => metadata.name ?? "";
  if (field === "metadata.namespace") {
    return ({ metadata }) => (namespaced ? (metadata.namespace ?? "") : "");
  }
  return rules.selectableFields?.[field] ?? (() => "");
}

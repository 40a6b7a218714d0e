import { deepEqual, type KubeObject, quote, validateQualifiedName } from "@rookery/kube";
import type { StorageRules } from "../registry/storage-options.ts";
import { type Crd, type CrdVersion, groupOf } from "./crd.ts";
import { parseJsonPath } from "./json-path.ts";
import { validateScale, validateScaleStatus } from "./scale-rules.ts";

/** The rules of a custom kind besides the schema. */
export function customRules(crd: Crd, version: CrdVersion): StorageRules {
  const scale = version.subresources?.scale;
  return {
    dialect: "custom",
    requiresResourceVersion: true,
    storagePrefix: `/registry/${groupOf(crd)}/${crd.spec?.names?.plural ?? ""}`,
    isNewGeneration: (object, old) => !deepEqual(withoutMetadata(object), withoutMetadata(old)),
    validate: (object) => validateScale(object, scale),
    validateUpdate: (object) => validateScale(object, scale),
    warnings: finalizerWarnings,
    selectableFields: selectableFields(version),
    ...(version.subresources?.status && {
      status: { validateUpdate: (object) => validateScaleStatus(object, scale) },
    }),
  };
}

function withoutMetadata({ metadata: _, ...rest }: KubeObject): object {
  return rest;
}

function selectableFields({ selectableFields: declared }: CrdVersion) {
  const fields = (declared ?? []).map(({ jsonPath = "" }) => {
    const path = parseJsonPath(jsonPath);
    const value = (object: KubeObject): string => {
      const found = path?.find(object)[0] ?? "";
      return typeof found === "object" ? JSON.stringify(found) : String(found);
    };
    return [jsonPath.replace(/^\./, ""), value] as const;
  });
  return Object.fromEntries(fields);
}

const standardFinalizers = ["kubernetes", "orphan", "foregroundDeletion"];

/** Warns about finalizers without a domain. */
function finalizerWarnings(object: KubeObject, old?: KubeObject): string[] {
  const known = new Set(old?.metadata.finalizers ?? []);
  const added = new Set((object.metadata.finalizers ?? []).filter((name) => !known.has(name)));
  return [...added].toSorted().flatMap((name) => {
    const problems = [...validateQualifiedName(name), ...unqualified(name)];
    return problems.map((problem) => `metadata.finalizers: ${quote(name)}: ${problem}`);
  });
}

function unqualified(name: string): string[] {
  if (name.includes("/") || standardFinalizers.includes(name)) return [];
  const path = name.includes(".") ? " including a path (/)" : "";
  return [
    `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
  ];
}

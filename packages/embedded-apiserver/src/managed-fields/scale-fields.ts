import { type FieldManager, unclassifiedError } from "@rookery/apiserver";
import { isBadRequest, type KubeObject, type ManagedFieldsEntry } from "@rookery/kube";
import { createBuiltInFieldManager } from "./built-in-field-manager.ts";
import { difference, type FieldSet, hasPath, setOfPaths } from "./field-set.ts";
import { formatManagedFields, noManagers, parseManagedFields } from "./managers.ts";
import { describeObject } from "./merge-errors.ts";
import { fieldElement } from "./path-element.ts";

const scaleApiVersion = "autoscaling/v1";
const replicasOfScale = ["spec", "replicas"];

/**
 * The paths of the replicas by apiVersion; undefined for versions without a scale. Entries of
 * versions that are missing here belong to removed versions.
 */
export type ReplicasPaths = ReadonlyMap<string, readonly string[] | undefined>;

/** The field manager of Scale objects. It resets no fields. */
export function createScaleFieldManager(): FieldManager {
  return createBuiltInFieldManager({
    group: "autoscaling",
    version: "v1",
    kind: "Scale",
    plural: "scales",
    goType: "k8s.io/api/autoscaling/v1.Scale",
    model: "io.k8s.api.autoscaling.v1.Scale",
  });
}

/** The owners of the replicas, as entries of the Scale. */
export function entriesOfScale(
  entries: readonly ManagedFieldsEntry[] | undefined,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const scale = noManagers();
  const { sets, times } = parseManagedFields(entries);
  for (const [id, { fields, apiVersion, isApplied }] of sets) {
    const path = paths.get(apiVersion);
    if (!path || !has(fields, path)) continue;
    const own = setOfPaths([replicasOfScale]);
    scale.sets.set(id, { fields: own, apiVersion: scaleApiVersion, isApplied });
    scale.times.set(id, times.get(id));
  }
  return formatManagedFields(scale);
}

export interface ScaledEntries {
  /** The object's entries before the write. */
  readonly before: readonly ManagedFieldsEntry[] | undefined;
  /** The entries of its Scale after the write. */
  readonly scale: readonly ManagedFieldsEntry[] | undefined;
  readonly apiVersion: string;
}

/**
 * The object's entries after a write of its Scale: new owners of the replicas own them here as
 * well.
 */
export function entriesOfScaled(
  { before, scale, apiVersion }: ScaledEntries,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const scaled = noManagers();
  const { sets, times } = parseManagedFields(before);
  const taken = parseManagedFields(scale).sets;
  for (const [id, set] of sets) {
    if (!paths.has(set.apiVersion)) continue;
    const path = paths.get(set.apiVersion);
    const isLost = path && has(set.fields, path) && !taken.delete(id);
    const fields = isLost ? difference(set.fields, setOfPaths([path])) : set.fields;
    if (fields.size === 0) continue;
    scaled.sets.set(id, { ...set, fields });
    scaled.times.set(id, times.get(id));
  }
  for (const [id, { fields, isApplied }] of taken) {
    if (!has(fields, replicasOfScale)) continue;
    const own = setOfPaths([paths.get(apiVersion) ?? []]);
    scaled.sets.set(id, { fields: own, apiVersion, isApplied });
    scaled.times.set(id, times.get(id));
  }
  return formatManagedFields(scaled);
}

function has(fields: FieldSet, path: readonly string[]): boolean {
  return hasPath(fields, path.map(fieldElement));
}

/**
 * The field manager of a custom kind's Scale. kube-apiserver can't convert it for an apply, so it
 * rejects applies, but reports conflicts first.
 */
export function createCustomScaleFieldManager(): FieldManager {
  const scales = createScaleFieldManager();
  return {
    problemOf: (entries) => scales.problemOf(entries),
    update: (...change) => scales.update(...change),
    apply: async (wanted, live, change) => {
      const isManaged = live?.metadata.managedFields !== undefined;
      try {
        await scales.apply(wanted, live, change);
      } catch (error) {
        if (isManaged || isBadRequest(error)) throw error;
      }
      if (isManaged) throw unclassifiedError(unconvertible("new", wanted));
      const why = unconvertible("live", { ...wanted, metadata: {} });
      throw unclassifiedError(`failed to create manager for existing fields: ${why}`);
    },
  };
}

function unconvertible(which: "live" | "new", object: KubeObject): string {
  const why = `request to convert CR to an invalid group/version: ${scaleApiVersion}`;
  return `failed to convert ${which} object (${describeObject(object)}) to proper version: ${why}`;
}

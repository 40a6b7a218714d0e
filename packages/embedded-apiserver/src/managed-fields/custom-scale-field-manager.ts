import { type FieldManager, unclassifiedError } from "@rookery/apiserver";
import { isBadRequest, type KubeObject } from "@rookery/kube";
import { describeObject } from "./merge-errors.ts";
import { createScaleFieldManager, scaleApiVersion } from "./scale-fields.ts";

/**
 * Of the scale of a custom kind, which kube-apiserver can't convert to any version, as it has to for
 * an apply: it is refused, though not before conflicts are told of.
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

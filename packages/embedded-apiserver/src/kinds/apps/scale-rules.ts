import type { LabelSelector } from "@rookery/api";
import { compileSelector } from "@rookery/kube";
import type { ScaleRules } from "../declaration/kind.ts";

interface Scalable {
  spec?: { replicas?: number; selector?: LabelSelector };
  status?: { replicas?: number };
}

/** The scale of a workload whose fields have the usual names. */
export function scaleRules<T extends Scalable>(): ScaleRules<T> {
  return {
    specReplicas: ({ spec }) => spec?.replicas ?? 0,
    statusReplicas: ({ status }) => status?.replicas ?? 0,
    selector: ({ spec }) => compileSelector(spec?.selector)?.toString() ?? "",
    setReplicas(object, replicas) {
      object.spec ??= {};
      object.spec.replicas = replicas;
    },
  };
}

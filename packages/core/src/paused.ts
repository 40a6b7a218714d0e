import type { Cluster } from "@rookery/api";
import type { ConditionStatement, KubeObject } from "@rookery/kube";
import { notPaused } from "@rookery/runtime";
import { pausedAnnotation } from "./words.ts";

/** Whether somebody asked that nothing be done, for the whole cluster or for one object. */
export function pausedStatement(
  cluster: Cluster | undefined,
  { kind, metadata }: Pick<KubeObject, "kind" | "metadata">,
): ConditionStatement {
  const messages = [
    ...(cluster?.spec.paused ? ["Cluster spec.paused is set to true"] : []),
    ...(pausedAnnotation in (metadata.annotations ?? {})
      ? [`${kind} has the cluster.x-k8s.io/paused annotation`]
      : []),
  ];
  if (messages.length === 0) return notPaused;
  return { type: "Paused", status: "True", reason: "Paused", message: messages.join(", ") };
}

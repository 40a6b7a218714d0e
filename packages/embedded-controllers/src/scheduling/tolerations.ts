import type { Taint, Toleration } from "@rookery/api";

/** Whether every taint with one of these effects is tolerated: those that keep pods away, if none are named. */
export function toleratesAll(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  effects: readonly string[] = ["NoSchedule", "NoExecute"],
): boolean {
  const forbidding = taints.filter(({ effect = "" }) => effects.includes(effect));
  return forbidding.every((taint) => tolerations.some((each) => tolerates(each, taint)));
}

/** An empty key or effect is any; "Exists" asks for no value. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { key = "", operator = "Equal", value = "", effect = "" } = toleration;
  if (effect !== "" && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  if (operator === "Exists") return true;
  return (operator === "Equal" || operator === "") && value === (taint.value ?? "");
}

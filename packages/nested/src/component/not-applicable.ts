import type { NestedAPIServer } from "@rookery/api";
import { isTrue } from "@rookery/kube";
import type { ComponentObject } from "../component-object.ts";
import type { Report } from "./report.ts";

/** The report of a component that the API server does not need; undefined beside all other API servers. */
export function notApplicableBeside(
  { metadata, spec }: NestedAPIServer,
  component: ComponentObject,
): Report | undefined {
  if (spec.profile !== "light") return undefined;
  const does = component.kind === "NestedEtcd" ? "keeps its data" : "runs its controllers";
  const message = `NestedAPIServer ${metadata.name} has the profile light, and ${does} itself`;
  // True: the control plane must not wait for it.
  const finding = isTrue("NotApplicable", message);
  return { ready: finding, upToDate: finding, status: { replicas: 0, readyReplicas: 0 } };
}

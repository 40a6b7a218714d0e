import type { NestedAPIServer } from "@rookery/api";
import type { ComponentObject } from "../component-object.ts";
import type { Report, Verdict } from "./report.ts";

/** What a component says beside an API server that does without it; undefined beside any other. */
export function notApplicableBeside(
  { metadata, spec }: NestedAPIServer,
  component: ComponentObject,
): Report | undefined {
  if (spec.profile !== "light") return undefined;
  const does = component.kind === "NestedEtcd" ? "keeps its data" : "runs its controllers";
  const verdict: Verdict = {
    // Nobody has to wait for it.
    status: "True",
    reason: "NotApplicable",
    message: `NestedAPIServer ${metadata.name} has the profile light, and ${does} itself`,
  };
  return { ready: verdict, upToDate: verdict, status: { replicas: 0, readyReplicas: 0 } };
}

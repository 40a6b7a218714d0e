import type { DaemonSet } from "@rookery/api";
import { numberAnnotation } from "./revision-annotation.ts";

/** Where a number is kept that was a field in older versions. */
const annotation = "deprecated.daemonset.template.generation";

/** How often the template of a DaemonSet has changed; 0 where nobody says. Throws a DecodeError. */
export function templateGenerationOf({ metadata }: DaemonSet): number {
  return numberAnnotation(metadata, annotation) ?? 0;
}

export function setTemplateGeneration(daemonSet: DaemonSet, generation: number): void {
  daemonSet.metadata ??= {};
  daemonSet.metadata.annotations = {
    ...daemonSet.metadata.annotations,
    [annotation]: String(generation),
  };
}

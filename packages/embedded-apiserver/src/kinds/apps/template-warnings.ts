import type { PodTemplateSpec } from "@rookery/api";
import { fieldPath, type ObjectMeta, validateDns1123Label } from "@rookery/kube";
import { podTemplateWarnings } from "../pod-spec/index.ts";

/** The name of a workload becomes part of the names of pods, which are names of hosts as well. */
export function podNameWarnings({ metadata }: { metadata?: ObjectMeta }): string[] {
  const problems = validateDns1123Label(metadata?.name ?? "");
  if (problems.length === 0) return [];
  const advice =
    "this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended";
  return [`metadata.name: ${advice}: [${problems.join(" ")}]`];
}

interface Templated {
  readonly spec?: { readonly template?: PodTemplateSpec };
}

export function templateWarnings({ spec }: Templated): string[] {
  return podTemplateWarnings(spec?.template ?? {}, fieldPath("spec", "template"));
}

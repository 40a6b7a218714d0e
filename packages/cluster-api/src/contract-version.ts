import type { ObjectMeta } from "@rookery/kube";
import { clusterApiGroup } from "./names.ts";

/** The contracts of Cluster API that a provider may fulfil, the newest first. */
const contracts = ["v1beta2", "v1beta1"] as const;

export type Contract = (typeof contracts)[number];

/**
 * The contract of a kind and the version in which its objects are read, from the labels of its CRD:
 * `cluster.x-k8s.io/v1beta2: v1beta1_v1beta2`. Undefined where the CRD has none of these labels.
 */
export function contractVersionOf({
  labels = {},
}: ObjectMeta): { readonly contract: Contract; readonly version: string } | undefined {
  for (const contract of contracts) {
    const versions = labels[`${clusterApiGroup}/${contract}`];
    const newest = versions?.split("_").toSorted(compareVersions).at(-1);
    if (newest) return { contract, version: newest };
  }
  return undefined;
}

const versionPattern = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

/** Orders versions as Kubernetes does: v1alpha1, v1beta1, v1beta2, v1, v2; other text comes first. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [rankOf(left), rankOf(right)];
  const index = a.findIndex((value, place) => value !== b[place]);
  if (index >= 0) return (a[index] ?? 0) - (b[index] ?? 0);
  return left < right ? -1 : Number(left > right);
}

function rankOf(version: string): readonly number[] {
  const [, major, stage, minor] = versionPattern.exec(version) ?? [];
  if (major === undefined) return [0, 0, 0];
  const stages: Readonly<Record<string, number>> = { alpha: 1, beta: 2 };
  return [stages[stage ?? ""] ?? 3, Number(major), Number(minor ?? 0)];
}

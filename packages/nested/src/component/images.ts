import packageJson from "../../package.json" with { type: "json" };
import type { Component } from "../names.ts";

export const defaultImageRepository = "registry.k8s.io";
/** Of this release, as installations name it. */
export const defaultRookeryImage = `rookery:${packageJson.version}`;

const images = {
  etcd: "etcd",
  apiserver: "kube-apiserver",
  "controller-manager": "kube-controller-manager",
} as const satisfies Record<Component, string>;

/** The image of a component where its spec names none: Kubernetes' own. */
export function imageOf(component: Component, version: string, repository: string): string {
  // A "+" may be in a version, but not in a tag.
  const tag = version.replaceAll("+", "_");
  return `${repository}/${images[component]}:${component === "etcd" ? `${tag}-0` : tag}`;
}

import packageJson from "../../package.json" with { type: "json" };
import type { Component } from "../names.ts";

export const defaultImageRepository = "registry.k8s.io";
export const defaultRookeryImage = `rookery:${packageJson.version}`;

const images = {
  etcd: "etcd",
  apiserver: "kube-apiserver",
  "controller-manager": "kube-controller-manager",
} as const satisfies Record<Component, string>;

/** Kubernetes' own image of a component. */
export function imageOf(component: Component, version: string, repository: string): string {
  // A version may contain "+", but a tag may not.
  const tag = version.replaceAll("+", "_");
  return `${repository}/${images[component]}:${component === "etcd" ? `${tag}-0` : tag}`;
}

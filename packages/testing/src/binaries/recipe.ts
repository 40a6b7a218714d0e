import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { GoBuild } from "./build.ts";

/**
 * The releases of Kubernetes that tests run, by the folder of packages/testing/go whose go.mod pins
 * them. Of the older one there are an API server and a controller manager, to upgrade from.
 */
const kubernetesModules = { "v1.34.4": "kubernetes", "v1.33.13": "kubernetes-1.33" } as const;

export type KubernetesVersion = keyof typeof kubernetesModules;

/** The Kubernetes that tests run on. */
export const kubernetesVersion = "v1.34.4" satisfies KubernetesVersion;

export type BinaryName =
  | "etcd"
  | "kube-apiserver"
  | "kube-controller-manager"
  | "kube-proxy"
  | "kube-scheduler"
  | "kubectl"
  | "kubelet";

/** The binaries for an API server, and for a node. */
export const binarySets = {
  apiserver: ["etcd", "kube-apiserver", "kube-controller-manager", "kubectl"],
  node: [
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kubectl",
    "kubelet",
    "kube-proxy",
    "kube-scheduler",
  ],
} as const satisfies Record<string, readonly BinaryName[]>;

export interface Recipe {
  /** The committed module that pins the versions: a folder of packages/testing/go. */
  readonly module: string;
  readonly package: string;
  readonly ldflags: string;
}

export function recipeOf(
  binary: BinaryName,
  version: KubernetesVersion = kubernetesVersion,
): Recipe {
  if (binary === "etcd") {
    return { module: "etcd", package: "go.etcd.io/etcd/server/v3", ldflags: "-s -w" };
  }
  return {
    module: kubernetesModules[version],
    package: `k8s.io/kubernetes/cmd/${binary}`,
    ldflags: `-s -w ${versionFlags(version)}`,
  };
}

export function buildOf(binary: BinaryName, version: KubernetesVersion): GoBuild {
  const { module, ...recipe } = recipeOf(binary, version);
  return { ...recipe, name: binary, folder: moduleFolder(module) };
}

/** Where a committed Go module lies. */
export function moduleFolder(module: string): string {
  return join(fileURLToPath(new URL("../../go", import.meta.url)), module);
}

/** Names everything that decides what the binaries are, so that another answer has another name. */
export async function cacheKey(version: KubernetesVersion): Promise<string> {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}\n`);
  for (const binary of binarySets.node) hash.update(JSON.stringify(recipeOf(binary, version)));
  for (const module of ["etcd", kubernetesModules[version]]) {
    for (const file of ["go.mod", "go.sum"]) {
      hash.update(await readFile(join(moduleFolder(module), file)));
    }
  }
  return `${version}-${hash.digest("hex").slice(0, 16)}`;
}

function versionFlags(version: string): string {
  const [major, minor] = version.slice(1).split(".");
  const variables = { gitVersion: version, gitMajor: major, gitMinor: minor };
  return Object.entries(variables)
    .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
    .join(" ");
}

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import type { BinaryOptions } from "./binaries.ts";
import { goModuleSource } from "./go-module.ts";
import { ensureGoProgram } from "./go-program.ts";
import { moduleFolder } from "./recipe.ts";

/** A CRD as it lies in a provider's repository. */
export interface CustomResourceDefinition {
  readonly apiVersion: string;
  readonly kind: "CustomResourceDefinition";
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** The folder of the Cluster API that go/cluster-api/go.mod pins. Throws UnavailableError. */
export function clusterApiSource(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  return goModuleSource("sigs.k8s.io/cluster-api", env);
}

/** The core manager of that Cluster API, unmodified: the path of its binary. Throws UnavailableError. */
export function clusterApiManager(options: BinaryOptions = {}): Promise<string> {
  return ensureGoProgram(moduleFolder("cluster-api"), options);
}

/** The clusterctl of that version, unmodified: the path of its binary. Throws UnavailableError. */
export function clusterctlProgram(options: BinaryOptions = {}): Promise<string> {
  return ensureGoProgram(moduleFolder("clusterctl"), options);
}

/** The CRDs of Cluster API's core, kubeadm bootstrap and kubeadm control plane providers. */
export async function clusterApiCrds(): Promise<CustomResourceDefinition[]> {
  const source = await clusterApiSource();
  const providers = ["", "bootstrap/kubeadm", "controlplane/kubeadm"];
  const crds = providers.map((provider) => readCrds(join(source, provider, "config/crd/bases")));
  return (await Promise.all(crds)).flat();
}

async function readCrds(folder: string): Promise<CustomResourceDefinition[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".yaml")).sort();
  return Promise.all(files.map(async (file) => parse(await readFile(join(folder, file), "utf8"))));
}

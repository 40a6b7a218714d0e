import { readFile, writeFile } from "node:fs/promises";
import { messageOf } from "@rookery/errors";
import type { Kubernetes, KubernetesDescription } from "../kubernetes.ts";
import { sharedApiServer } from "./api-server-process.ts";
import { connectKubernetes } from "./connect.ts";

/** Where what a run shares is described, if there is such: an API server, or one with a node. */
const variables = {
  apiServer: "ROOKERY_TEST_KUBERNETES",
  node: "ROOKERY_TEST_NODE",
} as const;

/** In place of a file: none is shared, and those that are started are embedded. */
const embedded = "embedded";

/** Which flavour the environment asks for; that of the shared one, where there is such. */
export async function chosenFlavour(
  env: NodeJS.ProcessEnv,
): Promise<"kube-apiserver" | "embedded"> {
  const file = env[variables.apiServer];
  if (!file) return "kube-apiserver";
  if (file === embedded) return embedded;
  const { flavour } = await readDescription(file, variables.apiServer);
  return flavour === embedded ? embedded : "kube-apiserver";
}

/** The Kubernetes that this run shares, if there is one; disposing of it leaves it running. */
export async function joinKubernetes(
  env: NodeJS.ProcessEnv,
  kind: keyof typeof variables = "apiServer",
): Promise<Kubernetes | undefined> {
  const file = env[variables[kind]];
  if (!file || file === embedded) return undefined;
  const description = await readDescription(file, variables[kind]);
  return connectKubernetes(description, { apiServer: sharedApiServer, dispose: async () => {} });
}

/**
 * Describes a Kubernetes in a file and returns the environment that makes other processes join it, by
 * `startKubernetes`, or by `startNode` if it has a node. Its owner keeps it until they have ended.
 */
export async function shareKubernetes(
  kubernetes: Kubernetes,
  file: string,
): Promise<Record<string, string>> {
  await writeFile(file, JSON.stringify(kubernetes.description), { mode: 0o600 });
  return { [variables["importImage" in kubernetes ? "node" : "apiServer"]]: file };
}

async function readDescription(file: string, variable: string): Promise<KubernetesDescription> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as KubernetesDescription;
  } catch (cause) {
    const why = messageOf(cause);
    throw new Error(
      `could not join the Kubernetes that ${variable} names: ${why}; unset it to start one`,
      { cause },
    );
  }
}

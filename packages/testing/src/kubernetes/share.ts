import { readFile, writeFile } from "node:fs/promises";
import type { Kubernetes, KubernetesDescription } from "../kubernetes.ts";
import { sharedApiServer } from "./api-server-process.ts";
import { connectKubernetes } from "./connect.ts";

/** Where a run's shared Kubernetes is described, if there is one. */
const sharedKubernetesVariable = "ROOKERY_TEST_KUBERNETES";

/** The Kubernetes that this run shares, if there is one; disposing of it leaves it running. */
export async function joinKubernetes(env: NodeJS.ProcessEnv): Promise<Kubernetes | undefined> {
  const file = env[sharedKubernetesVariable];
  if (!file) return undefined;
  const description = await readDescription(file);
  return connectKubernetes(description, { apiServer: sharedApiServer, dispose: async () => {} });
}

/**
 * Describes a Kubernetes in a file and returns the environment that makes `startKubernetes` of other
 * processes join it. Its owner keeps it until they have ended.
 */
export async function shareKubernetes(
  kubernetes: Kubernetes,
  file: string,
): Promise<Record<string, string>> {
  await writeFile(file, JSON.stringify(kubernetes.description), { mode: 0o600 });
  return { [sharedKubernetesVariable]: file };
}

async function readDescription(file: string): Promise<KubernetesDescription> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as KubernetesDescription;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `could not join the Kubernetes that ${sharedKubernetesVariable} names: ${why}; unset it to start one`,
      { cause },
    );
  }
}

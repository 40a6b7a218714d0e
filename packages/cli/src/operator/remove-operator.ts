import { type Client, ignoreNotFound } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { renderOperator } from "@rookery/operator";
import { waitUntil } from "../progress/wait-until.ts";
import { type FoundOperator, findOperator } from "./find-operator.ts";
import { deploymentLast } from "./install-operator.ts";

export interface RemovalOptions {
  readonly includeCrd?: boolean;
  readonly includeNamespace?: boolean;
  readonly waitTimeout: number;
}

/** What stays unless it is asked for. */
const kept = { CustomResourceDefinition: "includeCrd", Namespace: "includeNamespace" } as const;

/**
 * Removes what the operator consists of, webhooks first. Its kinds and its namespace stay unless told
 * otherwise. Errors: WaitError.
 */
export async function removeOperator(
  client: Client,
  { namespace, image, replicas, env }: FoundOperator,
  options: RemovalOptions,
): Promise<void> {
  const manifests = await renderOperator({ namespace, image, replicas, env });
  for (const manifest of deploymentLast(manifests.toReversed())) {
    const flag = kept[manifest.kind as keyof typeof kept];
    if (flag !== undefined && !options[flag]) continue;
    await remove(client, manifest);
  }
  await waitUntil(async () => (await findOperator(client)) === undefined, {
    what: "the operator to be gone",
    wayOut: `see "kubectl get deployments,pods -n ${namespace}"`,
    timeoutSeconds: options.waitTimeout,
  });
}

async function remove(client: Client, { apiVersion, kind, metadata }: KubeObject): Promise<void> {
  const { namespace, name = "" } = metadata;
  const resource = await ignoreNotFound(client.kind<KubeObject>({ apiVersion, kind }));
  const key = { ...(namespace && { namespace }), name };
  if (resource) await ignoreNotFound(resource.delete(key, { propagationPolicy: "Background" }));
}

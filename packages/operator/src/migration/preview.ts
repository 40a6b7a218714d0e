import type { Provider } from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { isNotFound, type KubeObject, type Resource } from "@rookery/kube";
import { clusterctlProviders, providerResources } from "../resources.ts";
import { type Migration, planMigration } from "./plan.ts";

export interface PreviewOptions {
  /** The file to use; KUBECONFIG, the pod's account or ~/.kube/config where absent. */
  readonly kubeconfig?: string;
  /** The current one where absent. */
  readonly context?: string;
}

/**
 * What the operator would make of clusterctl's records, one for each; nothing is changed. The operator
 * need not be installed. Errors: what the configuration or the cluster can't be used for.
 */
export async function previewMigration({
  kubeconfig: path,
  context,
}: PreviewOptions): Promise<readonly Migration[]> {
  const config = await loadConfig({ ...(path && { path }), ...(context && { context }) });
  await using client = createClient(config);
  const records = await listIfServed(client, clusterctlProviders);
  const lists = providerResources.map((resource) => listIfServed(client, resource));
  const providers = (await Promise.all(lists)).flat() as readonly Provider[];
  return records.map((record) => planMigration({ record, records, providers }));
}

async function listIfServed(client: Client, resource: Resource): Promise<readonly KubeObject[]> {
  try {
    return (await client.resource<KubeObject>(resource).listAll()).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

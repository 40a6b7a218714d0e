import type { Provider } from "@rookery/api";
import { type Client, ignoreNotFound } from "@rookery/client";
import type { KubeObject, Resource } from "@rookery/kube";
import { clusterctlProviders, providerResources } from "../resources.ts";
import { type Migration, planMigration } from "./plan.ts";

/** The migrations of clusterctl's records, also without an installed operator. Rejects as the client does. */
export async function previewMigration(client: Client): Promise<readonly Migration[]> {
  const records = await listIfServed(client, clusterctlProviders);
  const lists = providerResources.map((resource) => listIfServed(client, resource));
  const providers = (await Promise.all(lists)).flat() as readonly Provider[];
  return records.map((record) => planMigration({ record, records, providers }));
}

async function listIfServed(client: Client, resource: Resource): Promise<readonly KubeObject[]> {
  const list = await ignoreNotFound(client.resource<KubeObject>(resource).listAll());
  return list?.items ?? [];
}

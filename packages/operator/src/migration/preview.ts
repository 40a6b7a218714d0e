import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { ClusterctlRecord } from "@rookery/cluster-api";
import { clusterctlProviders, listIfServed, providerResources } from "../resources.ts";
import { type Migration, planMigration } from "./plan.ts";

/** The migrations of clusterctl's records, also without an installed operator. Rejects as the client does. */
export async function previewMigration(client: Client): Promise<readonly Migration[]> {
  const records = await listIfServed<ClusterctlRecord>(client, clusterctlProviders);
  const lists = providerResources.map((resource) => listIfServed<Provider>(client, resource));
  const providers = (await Promise.all(lists)).flat();
  return records.map((record) => planMigration({ record, records, providers }));
}

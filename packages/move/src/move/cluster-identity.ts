import type { Client } from "@rookery/client";
import { isForbidden } from "@rookery/kube";
import { readNamespace } from "../check/check-target.ts";

/** Which cluster it is: the uid of a namespace that each has, and none has twice. "" where it is not told. */
export async function clusterIdentity(client: Client): Promise<string> {
  try {
    return (await readNamespace(client, "kube-system"))?.metadata.uid ?? "";
  } catch (error) {
    if (isForbidden(error)) return "";
    throw error;
  }
}

import { createClient, loadConfig } from "@rookery/client";
import { writeBody } from "@rookery/http";
import { groupVersionResourceOf, resourcePath } from "@rookery/kube";
import type { Kubernetes } from "@rookery/testing";
import { nests } from "./nests.ts";

/**
 * The milliseconds that the server alone needs for all objects: the list that it gives fastest, in one
 * answer, thrown away as it comes. No informer can be faster.
 */
export async function measureFloor({ kubeconfig }: Kubernetes): Promise<number> {
  await using client = createClient(await loadConfig({ path: kubeconfig }));
  const started = performance.now();
  const { status, body } = await client.raw({
    path: resourcePath(groupVersionResourceOf(nests)),
    headers: { accept: "application/json" },
  });
  if (status !== 200) throw new Error(`could not list ${nests.plural}: the server said ${status}`);
  const { signal } = new AbortController();
  await writeBody(body, { signal, write: () => true, drained: async () => {} });
  return performance.now() - started;
}

import { getOptional } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import type { CaBundleInjector, PatchingClient } from "@rookery/runtime";

export type ApiService = KubeObject<{ readonly caBundle?: string }>;

/** Puts authorities into an APIService, so that the API server trusts the aggregated one. */
export function injectIntoApiService(
  client: PatchingClient<ApiService>,
  name: string,
): CaBundleInjector {
  return async (pem, signal) => {
    const service = await getOptional(client, { name }, { signal });
    const caBundle = Buffer.from(pem).toString("base64");
    if (!service || service.spec?.caBundle === caBundle) return;
    await client.patch({ name }, { type: "merge", patch: { spec: { caBundle } } }, { signal });
  };
}

import type { Client } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";

/** The name under which the command writes objects. */
export const fieldManager = "rookery";

/** Applies objects one after the other, in their order; what is there already becomes what they say. */
export async function applyManifests(client: Client, manifests: readonly object[]): Promise<void> {
  for (const manifest of manifests as readonly KubeObject[]) {
    const resource = await client.kind<KubeObject>(manifest);
    await resource.apply(manifest, { fieldManager, force: true });
  }
}

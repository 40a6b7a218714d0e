import type { Client } from "@rookery/client";
import { isConflict, type KubeObject } from "@rookery/kube";

const fieldManager = "rookery-start";

/**
 * Applies one object of any kind. What somebody else has set to something else stays as it is: who
 * tries things out must not lose them by the next start.
 */
export async function applyObject(client: Client, object: KubeObject): Promise<KubeObject> {
  const resource = await client.kind<KubeObject>(object);
  try {
    return await resource.apply(object, { fieldManager });
  } catch (error) {
    if (!isConflict(error)) throw error;
    const { namespace, name = "" } = object.metadata;
    return resource.get({ name, ...(namespace !== undefined && { namespace }) });
  }
}

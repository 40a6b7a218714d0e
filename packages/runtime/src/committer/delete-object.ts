import { ignoreNotFound, type ResourceClient } from "@rookery/client";
import { type KubeObject, objectKeyOf } from "@rookery/kube";

/** Deletes this very object: another one of its name stays, and one that is gone is no error. */
export async function deleteObject<T extends KubeObject>(
  client: Pick<ResourceClient<T>, "delete">,
  object: T,
): Promise<void> {
  const { uid } = object.metadata;
  const options = { ...(uid && { preconditions: { uid } }) };
  await ignoreNotFound(client.delete(objectKeyOf(object), options));
}

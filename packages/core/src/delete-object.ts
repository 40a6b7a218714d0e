import { type Client, ignoreNotFound } from "@rookery/client";
import { type KubeObject, objectKeyOf, type Resource } from "@rookery/kube";

/** Deletes this very object; an object of the same name that was created since then stays. */
export async function deleteObject(
  client: Client,
  resource: Resource,
  object: KubeObject,
): Promise<void> {
  const { uid } = object.metadata;
  const options = { ...(uid && { preconditions: { uid } }) };
  await ignoreNotFound(client.resource(resource).delete(objectKeyOf(object), options));
}

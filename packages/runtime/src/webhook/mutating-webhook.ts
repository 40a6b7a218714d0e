import { createJsonPatch, type GroupVersionKind, type KubeObject } from "@rookery/kube";
import { type AdmissionContext, admissionWebhook, noContent } from "./admission-webhook.ts";
import { mutatingPath, type Webhook } from "./webhook.ts";

/**
 * Returns the object as it should be, the same one where it is so already. Denies by throwing a
 * StatusError.
 */
export type Mutator<T extends KubeObject> = (
  object: T,
  context: AdmissionContext,
) => T | Promise<T>;

/**
 * A webhook for a MutatingWebhookConfiguration, at controller-runtime's path unless told otherwise.
 * What the mutator changes becomes a JSON patch; of an object that is deleted there is nothing to
 * change.
 */
export function mutatingWebhook<T extends KubeObject>(
  kind: GroupVersionKind,
  mutate: Mutator<T>,
  path = mutatingPath(kind),
): Webhook {
  return admissionWebhook(path, async (context) => {
    const { operation, object } = context.request;
    if (operation === "DELETE" || operation === "CONNECT") return { allowed: true };
    if (object === null || object === undefined) throw noContent();
    const mutated = await mutate(object as T, context);
    return { allowed: true, patch: createJsonPatch(object, asJson(mutated)) };
  });
}

/** As it would be stored: without what is undefined, which a patch cannot say. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

import { badRequestError, type GroupVersionKind, type KubeObject } from "@rookery/kube";
import { type AdmissionContext, admissionWebhook, noContent } from "./admission-webhook.ts";
import { validatingPath, type Webhook } from "./webhook.ts";

/**
 * Judges the objects of a kind. Each function denies by throwing a StatusError, such as
 * `invalidError(kind, name, errors)`; what is not there allows.
 */
export interface Validator<T extends KubeObject> {
  create?(object: T, context: AdmissionContext): void | Promise<void>;
  update?(object: T, oldObject: T, context: AdmissionContext): void | Promise<void>;
  delete?(object: T, context: AdmissionContext): void | Promise<void>;
}

/** A webhook for a ValidatingWebhookConfiguration, at controller-runtime's path unless told otherwise. */
export function validatingWebhook<T extends KubeObject>(
  kind: GroupVersionKind,
  validator: Validator<T>,
  path = validatingPath(kind),
): Webhook {
  return admissionWebhook(path, async (context) => {
    await validate(validator, context);
    return { allowed: true };
  });
}

async function validate<T extends KubeObject>(
  validator: Validator<T>,
  context: AdmissionContext,
): Promise<void> {
  const { operation, object, oldObject } = context.request;
  switch (operation) {
    case "CREATE":
      return validator.create?.(present<T>(object), context);
    case "UPDATE":
      return validator.update?.(present<T>(object), present<T>(oldObject), context);
    case "DELETE":
      return validator.delete?.(present<T>(oldObject), context);
    case "CONNECT":
      return;
    default:
      throw badRequestError(`unknown operation ${JSON.stringify(operation)}`);
  }
}

function present<T extends KubeObject>(object: KubeObject | null | undefined): T {
  if (object === null || object === undefined) throw noContent();
  return object as T;
}

import {
  badRequestError,
  createJsonPatch,
  type FieldError,
  type GroupKind,
  type GroupVersionKind,
  invalidError,
  type KubeObject,
} from "@rookery/kube";
import { type AdmissionContext, admissionWebhook } from "./admission-webhook.ts";
import { mutatingPath, validatingPath, type Webhook } from "./webhook.ts";

/**
 * Validates the objects of a kind. Each function denies a request by throwing a StatusError, such as
 * `invalidError(kind, name, errors)`; a missing function allows all.
 */
export interface Validator<T extends KubeObject> {
  create?(object: T, context: AdmissionContext): void | Promise<void>;
  update?(object: T, oldObject: T, context: AdmissionContext): void | Promise<void>;
  delete?(object: T, context: AdmissionContext): void | Promise<void>;
}

/** Denies an object with problems, by the error Invalid of Kubernetes. */
export function denyInvalid(
  kind: GroupKind,
  { metadata }: Pick<KubeObject, "metadata">,
  problems: readonly FieldError[],
): void {
  if (problems.length > 0) throw invalidError(kind, metadata.name ?? "", problems);
}

/** A webhook for a ValidatingWebhookConfiguration, at controller-runtime's path by default. */
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

/** Returns the object in its desired form, or unchanged. Denies a request by throwing a StatusError. */
export type Mutator<T extends KubeObject> = (
  object: T,
  context: AdmissionContext,
) => T | Promise<T>;

/**
 * A webhook for a MutatingWebhookConfiguration, at controller-runtime's path by default. The changes of the mutator
 * become a JSON patch. Deletions are allowed unchanged.
 */
export function mutatingWebhook<T extends KubeObject>(
  kind: GroupVersionKind,
  mutate: Mutator<T>,
  path = mutatingPath(kind),
): Webhook {
  return admissionWebhook(path, async (context) => {
    const { operation, object } = context.request;
    if (operation === "DELETE" || operation === "CONNECT") return { allowed: true };
    const mutated = await mutate(present<T>(object), context);
    return { allowed: true, patch: createJsonPatch(object, asJson(mutated)) };
  });
}

/** The JSON form, without undefined fields, which a patch cannot contain. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function present<T extends KubeObject>(object: KubeObject | null | undefined): T {
  if (object === null || object === undefined) {
    throw badRequestError("there is no content to decode");
  }
  return object as T;
}

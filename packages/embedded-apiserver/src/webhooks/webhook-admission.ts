import type { AdmissionOperation, AdmissionPlugin } from "@rookery/apiserver";
import type { KubeObject } from "@rookery/kube";
import { mutateByWebhooks } from "./mutating-webhooks.ts";
import { RegisteredWebhooks } from "./registered-webhooks.ts";
import { isExempt } from "./select-webhook.ts";
import { validateByWebhooks } from "./validating-webhooks.ts";
import type { WebhookContext } from "./webhook-context.ts";

const operations: readonly AdmissionOperation[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];
const group = "admissionregistration.k8s.io";

/**
 * Asks the webhooks of the cluster: first those that mutate, then those that validate. They belong
 * at the end of all plugins. A deletion has no object to change: mutating ones may refuse it.
 */
export function createWebhookAdmission(context: WebhookContext): readonly AdmissionPlugin[] {
  const { store } = context;
  const mutating = new RegisteredWebhooks(store, `mutatingwebhookconfigurations.${group}`);
  const validating = new RegisteredWebhooks(store, `validatingwebhookconfigurations.${group}`);
  return [
    {
      name: "MutatingAdmissionWebhook",
      operations,
      mutate(attributes) {
        const object = attributes.object as KubeObject;
        if (mutating.all.length === 0 || isExempt(attributes)) return object;
        return mutateByWebhooks(mutating, attributes, context).then((mutated) => mutated ?? object);
      },
      validate(attributes) {
        if (attributes.operation !== "DELETE" || isExempt(attributes)) return;
        return mutateByWebhooks(mutating, attributes, context).then(() => {});
      },
    },
    {
      name: "ValidatingAdmissionWebhook",
      operations,
      validate(attributes) {
        if (validating.all.length === 0 || isExempt(attributes)) return;
        return validateByWebhooks(validating, attributes, context);
      },
    },
  ];
}

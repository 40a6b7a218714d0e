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
      async mutate(attributes) {
        const object = attributes.object as KubeObject;
        if (isExempt(attributes)) return object;
        return (await mutateByWebhooks(mutating, attributes, context)) ?? object;
      },
      async validate(attributes) {
        if (attributes.operation !== "DELETE" || isExempt(attributes)) return;
        await mutateByWebhooks(mutating, attributes, context);
      },
    },
    {
      name: "ValidatingAdmissionWebhook",
      operations,
      async validate(attributes) {
        if (!isExempt(attributes)) await validateByWebhooks(validating, attributes, context);
      },
    },
  ];
}

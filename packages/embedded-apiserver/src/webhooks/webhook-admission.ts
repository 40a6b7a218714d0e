import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from "@rookery/apiserver";
import type { KubeObject } from "@rookery/kube";
import type { Invocation } from "./admission-review.ts";
import {
  assertMayFail,
  callWebhook,
  FailedCall,
  requestTimeout,
  type WebhookRequest,
} from "./call-webhook.ts";
import { invocationFor, mutateByWebhooks } from "./mutating-webhooks.ts";
import { type RegisteredWebhook, RegisteredWebhooks } from "./registered-webhooks.ts";
import { isExempt } from "./select-webhook.ts";
import type { WebhookContext } from "./webhook-context.ts";

const operations: readonly AdmissionOperation[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];
const group = "admissionregistration.k8s.io";

/**
 * The plugins that call mutating and validating webhooks, which run after all others. Mutating webhooks
 * can only reject deletions.
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

/** Calls all matching webhooks in parallel. Throws the first error. */
async function validateByWebhooks(
  webhooks: RegisteredWebhooks,
  attributes: AdmissionAttributes,
  context: WebhookContext,
): Promise<void> {
  const matching: [RegisteredWebhook, Invocation][] = [];
  for (const registered of webhooks.all) {
    const invocation = await invocationFor(registered, attributes, context);
    if (invocation) matching.push([registered, invocation]);
  }
  if (matching.length === 0) return;
  if (attributes.signal.aborted) throw requestTimeout();
  const calls = matching.map(([registered, invocation], index) =>
    callValidatingWebhook(
      { registered, attributes, invocation, mutating: false },
      { context, index },
    ),
  );
  for (const outcome of await Promise.allSettled(calls)) {
    if (outcome.status === "rejected") throw outcome.reason;
  }
}

async function callValidatingWebhook(
  request: WebhookRequest,
  { context, index }: { readonly context: WebhookContext; readonly index: number },
): Promise<void> {
  try {
    await callWebhook(context.clients, request);
  } catch (error) {
    if (!(error instanceof FailedCall)) throw error;
    assertMayFail(request, error, `validating.webhook.admission.k8s.io/round_0_index_${index}`);
  }
}

import type { AdmissionAttributes } from "@rookery/apiserver";
import type { Invocation } from "./admission-review.ts";
import {
  assertMayFail,
  callWebhook,
  FailedCall,
  requestTimeout,
  type WebhookQuestion,
} from "./call-webhook.ts";
import { invocationFor } from "./mutating-webhooks.ts";
import type { RegisteredWebhook, RegisteredWebhooks } from "./registered-webhooks.ts";
import type { WebhookContext } from "./webhook-context.ts";

/** Asks all webhooks that are concerned at once; of those that refuse the first one counts. */
export async function validateByWebhooks(
  webhooks: RegisteredWebhooks,
  attributes: AdmissionAttributes,
  context: WebhookContext,
): Promise<void> {
  const concerned: [RegisteredWebhook, Invocation][] = [];
  for (const registered of webhooks.all) {
    const invocation = await invocationFor(registered, attributes, context);
    if (invocation) concerned.push([registered, invocation]);
  }
  if (concerned.length === 0) return;
  if (attributes.signal.aborted) throw requestTimeout();
  const asked = concerned.map(([registered, invocation], index) =>
    askToValidate({ registered, attributes, invocation, mutating: false }, { context, index }),
  );
  for (const outcome of await Promise.allSettled(asked)) {
    if (outcome.status === "rejected") throw outcome.reason;
  }
}

async function askToValidate(
  question: WebhookQuestion,
  { context, index }: { readonly context: WebhookContext; readonly index: number },
): Promise<void> {
  try {
    await callWebhook(context.clients, question);
  } catch (error) {
    if (!(error instanceof FailedCall)) throw error;
    assertMayFail(question, error, `validating.webhook.admission.k8s.io/round_0_index_${index}`);
  }
}

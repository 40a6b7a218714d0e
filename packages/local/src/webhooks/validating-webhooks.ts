import type { AdmissionAttributes } from "@rookery/apiserver";
import type { Invocation } from "./admission-review.ts";
import { assertMayFail, callWebhook, FailedCall, requestTimeout } from "./call-webhook.ts";
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
  const asked = concerned.map(([registered, invocation]) =>
    askToValidate(registered, attributes, { invocation, context }),
  );
  for (const outcome of await Promise.allSettled(asked)) {
    if (outcome.status === "rejected") throw outcome.reason;
  }
}

async function askToValidate(
  registered: RegisteredWebhook,
  attributes: AdmissionAttributes,
  { invocation, context }: { readonly invocation: Invocation; readonly context: WebhookContext },
): Promise<void> {
  try {
    await callWebhook(context.clients, { registered, attributes, invocation, mutating: false });
  } catch (error) {
    if (!(error instanceof FailedCall)) throw error;
    assertMayFail(registered, attributes, error);
  }
}

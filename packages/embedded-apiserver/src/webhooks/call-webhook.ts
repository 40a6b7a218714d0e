import type { AdmissionAttributes } from "@rookery/apiserver";
import {
  badRequestError,
  internalError,
  quote,
  type Status,
  StatusError,
  timeoutError,
} from "@rookery/kube";
import { WebhookCallError, WebhookResponseError } from "../errors.ts";
import {
  type AdmissionResponse,
  admissionReview,
  type Invocation,
  readResponse,
  reviewVersionOf,
} from "./admission-review.ts";
import type { RegisteredWebhook } from "./registered-webhooks.ts";
import type { WebhookPoster } from "./webhook-context.ts";

export interface WebhookRequest {
  readonly registered: RegisteredWebhook;
  readonly attributes: AdmissionAttributes;
  readonly invocation: Invocation;
  readonly mutating: boolean;
}

/** A failed call, to which the failure policy applies. */
export class FailedCall extends Error {}

/** Throws unless the failure policy is Ignore; then annotates the audit event with the key. */
export function assertMayFail(
  { registered: { name, webhook }, attributes }: Pick<WebhookRequest, "registered" | "attributes">,
  failure: FailedCall,
  key: string,
): void {
  if (webhook.failurePolicy !== "Ignore") {
    const message = `failed calling webhook ${quote(name)}: ${failure.message}`;
    throw internalError(new Error(message, { cause: failure }));
  }
  if (attributes.signal.aborted) throw requestTimeout();
  attributes.annotate(`failed-open.${key}`, name);
}

/** The response of a webhook that allows the request. Throws the rejection, or a FailedCall. */
export async function callWebhook(
  clients: WebhookPoster,
  request: WebhookRequest,
): Promise<AdmissionResponse> {
  const { registered, attributes } = request;
  assertDryRun(registered, attributes);
  const response = await requestReview(clients, request);
  for (const [key, value] of Object.entries(response.auditAnnotations)) {
    attributes.annotate(`${registered.name}/${key}`, value);
  }
  for (const warning of response.warnings) attributes.warn(warning);
  if (!response.allowed) throw refusal(registered.name, response.status);
  return response;
}

async function requestReview(
  clients: WebhookPoster,
  request: WebhookRequest,
): Promise<AdmissionResponse> {
  const { registered, attributes, invocation, mutating } = request;
  const { webhook } = registered;
  const version = reviewVersionOf(webhook.admissionReviewVersions ?? []);
  if (!version) {
    const why = "webhook does not accept known AdmissionReview versions (v1, v1beta1)";
    throw new FailedCall(`could not create admission objects: ${why}`);
  }
  const { uid, review } = admissionReview(attributes, invocation, version);
  const answer = await post(clients, request, review);
  try {
    return readResponse(answer, { uid, version, mutating });
  } catch (error) {
    if (!(error instanceof WebhookResponseError)) throw error;
    throw new FailedCall(`received invalid webhook response: ${error.message}`, { cause: error });
  }
}

async function post(
  clients: WebhookPoster,
  { registered: { webhook }, attributes }: WebhookRequest,
  body: object,
): Promise<unknown> {
  const { clientConfig: config = {}, timeoutSeconds = 10 } = webhook;
  try {
    return await clients.post({ config, body, timeoutSeconds, signal: attributes.signal });
  } catch (error) {
    if (!(error instanceof WebhookCallError || error instanceof StatusError)) throw error;
    throw new FailedCall(`failed to call webhook: ${error.message}`, { cause: error });
  }
}

function assertDryRun({ name, webhook }: RegisteredWebhook, attributes: AdmissionAttributes): void {
  const { sideEffects = "" } = webhook;
  if (!attributes.dryRun || ["None", "NoneOnDryRun"].includes(sideEffects)) return;
  throw badRequestError(`admission webhook ${quote(name)} does not support dry run`);
}

/** The Status of a rejection, with the name of the webhook in the message. */
function refusal(name: string, given: Partial<Status> = {}): StatusError {
  const denied = `admission webhook ${quote(name)} denied the request`;
  const why = given.message || given.reason;
  const status = !given.status || given.status === "Success" ? "Failure" : given.status;
  return new StatusError({
    ...given,
    kind: "Status",
    apiVersion: "v1",
    metadata: given.metadata ?? {},
    status,
    message: why ? `${denied}: ${why}` : `${denied} without explanation`,
    code: Math.max(given.code ?? 0, 400),
  });
}

export function requestTimeout(): StatusError {
  return timeoutError("request did not complete within requested timeout", 0);
}

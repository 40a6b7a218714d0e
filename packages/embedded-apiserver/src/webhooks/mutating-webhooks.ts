import type { AdmissionAttributes, Reinvocation } from "@rookery/apiserver";
import {
  applyJsonPatch,
  deepEqual,
  formatApiVersion,
  internalError,
  type JsonPatchOperation,
  type KubeObject,
  PatchError,
  quote,
} from "@rookery/kube";
import type { AdmissionResponse, Invocation } from "./admission-review.ts";
import { assertMayFail, callWebhook, FailedCall, type WebhookRequest } from "./call-webhook.ts";
import { invocationOf, toRequestVersion } from "./equivalents.ts";
import { conditionsHold } from "./match-conditions.ts";
import type { RegisteredWebhook, RegisteredWebhooks } from "./registered-webhooks.ts";
import { selectWebhook } from "./select-webhook.ts";
import type { WebhookContext } from "./webhook-context.ts";

/** Calls webhooks one after another and applies their patches. */
export async function mutateByWebhooks(
  webhooks: RegisteredWebhooks,
  attributes: AdmissionAttributes,
  context: WebhookContext,
): Promise<KubeObject | undefined> {
  const { reinvocation } = attributes;
  const state = reinvocationState(reinvocation);
  if (reinvocation.isReinvocation) state.startSecondRound(attributes.object);
  let { object } = attributes;
  for (const [index, registered] of webhooks.all.entries()) {
    const current = { ...attributes, object };
    const invocation = await invocationFor(registered, current, context);
    const isLeftOut = reinvocation.isReinvocation && !state.isToBeReinvoked(registered.id);
    if (!invocation || isLeftOut) continue;
    const key = `mutation.webhook.admission.k8s.io/round_${reinvocation.isReinvocation ? 1 : 0}_index_${index}`;
    const request = { registered, attributes: current, invocation, mutating: true };
    const changed = await callMutatingWebhook(request, { context, key });
    if (changed) {
      object = changed;
      state.reinvokeEarlierOnes();
      reinvocation.request();
    }
    if (registered.webhook.reinvocationPolicy === "IfNeeded") state.remember(registered.id);
  }
  state.finishRound(object);
  return object;
}

/** The request for a webhook; undefined if the webhook does not match. */
export async function invocationFor(
  registered: RegisteredWebhook,
  attributes: AdmissionAttributes,
  context: WebhookContext,
): Promise<Invocation | undefined> {
  const selected = selectWebhook(registered, attributes, context);
  if (!selected) return undefined;
  const invocation = await invocationOf(attributes, selected, context.convert);
  const { decide } = context;
  return conditionsHold(registered, { attributes, invocation, decide }) ? invocation : undefined;
}

/** The changed object; undefined without a change. Annotates the audit event. */
async function callMutatingWebhook(
  request: WebhookRequest,
  { context, key }: { readonly context: WebhookContext; readonly key: string },
): Promise<KubeObject | undefined> {
  const { registered, attributes, invocation } = request;
  let changed: KubeObject | undefined;
  try {
    const response = await callWebhook(context.clients, request);
    const patched = patchedObject(registered, response, invocation);
    const object = patched && (await toRequestVersion(patched, attributes, context.convert));
    const read = object && readAgain(object, attributes);
    if (read && !deepEqual(read, attributes.object)) changed = read;
  } catch (error) {
    if (!(error instanceof FailedCall)) throw error;
    assertMayFail(request, error, key);
  } finally {
    const { configuration, name: webhook } = registered;
    attributes.annotate(
      key,
      JSON.stringify({ configuration, webhook, mutated: changed !== undefined }),
    );
  }
  return changed;
}

function patchedObject(
  { name }: RegisteredWebhook,
  { patch, patchType }: AdmissionResponse,
  { object }: Invocation,
): KubeObject | undefined {
  const operations = patch === "" ? [] : parsePatch(patch);
  if (operations.length === 0) return undefined;
  if (!object) {
    const problem = "attempted to modify the object, which is not supported for this operation";
    throw internalError(new Error(`admission webhook ${quote(name)} ${problem}`));
  }
  if (patchType !== "JSONPatch") throw new FailedCall(`unsupported patch type ${quote(patchType)}`);
  try {
    return applyJsonPatch(object, operations) as KubeObject;
  } catch (error) {
    throw internalError(error instanceof PatchError ? new Error(error.reason) : (error as Error));
  }
}

function parsePatch(text: string): readonly JsonPatchOperation[] {
  const undecodable = (why: string) =>
    new FailedCall(`received undecodable patch in webhook response: ${why}`);
  try {
    const operations: unknown = JSON.parse(text);
    if (Array.isArray(operations)) return operations as JsonPatchOperation[];
  } catch (error) {
    throw undecodable((error as Error).message);
  }
  throw undecodable("json: cannot unmarshal object into Go value of type jsonpatch.Patch");
}

/** Decodes the object again, with defaults and without unknown fields. */
function readAgain(object: KubeObject, { decode, kind }: AdmissionAttributes): KubeObject {
  try {
    return decode({ ...object, apiVersion: formatApiVersion(kind), kind: kind.kind });
  } catch (error) {
    throw internalError(error as Error);
  }
}

/** The webhooks that are called again because the object has changed since. */
class ReinvocationState {
  readonly #invoked = new Set<string>();
  readonly #reinvoked = new Set<string>();
  #lastOutput: KubeObject | undefined;

  /** Reinvokes webhooks if other plugins have changed the object. */
  startSecondRound(object: KubeObject | undefined): void {
    if (!deepEqual(object, this.#lastOutput)) this.reinvokeEarlierOnes();
  }

  isToBeReinvoked(id: string): boolean {
    return this.#reinvoked.has(id);
  }

  /** Marks the earlier webhooks after a webhook has changed the object. */
  reinvokeEarlierOnes(): void {
    for (const id of this.#invoked) this.#reinvoked.add(id);
    this.#invoked.clear();
  }

  /** Records a called webhook with the reinvocation policy IfNeeded. */
  remember(id: string): void {
    this.#invoked.add(id);
  }

  finishRound(object: KubeObject | undefined): void {
    this.#lastOutput = object;
  }
}

const key = "MutatingAdmissionWebhook";

/** The state of a request, for both rounds. */
function reinvocationState({ memory }: Reinvocation): ReinvocationState {
  const known = memory.get(key);
  if (known instanceof ReinvocationState) return known;
  const state = new ReinvocationState();
  memory.set(key, state);
  return state;
}

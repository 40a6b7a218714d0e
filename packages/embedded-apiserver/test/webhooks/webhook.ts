import type { MutatingWebhook } from "@rookery/api";
import type { AdmissionAttributes, AdmissionPlugin } from "@rookery/apiserver";
import type { KubeObject } from "@rookery/kube";
import { setWebhookDefaults } from "../../src/kinds/admissionregistration/webhook-rules.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createWebhookAdmission } from "../../src/webhooks/webhook-admission.ts";
import type { WebhookCall } from "../../src/webhooks/webhook-client.ts";
import type { WebhookContext } from "../../src/webhooks/webhook-context.ts";

/** What the request of an AdmissionReview says, as far as tests look. */
export interface SentRequest {
  readonly uid: string;
  readonly operation: string;
  readonly kind: { readonly version: string };
  readonly requestKind: { readonly version: string };
  readonly object: KubeObject | null;
  readonly oldObject: KubeObject | null;
  readonly options: { readonly kind: string };
}

/** A webhook that answers in the process; what it throws is a call that failed. */
export type Answer = (request: SentRequest, call: WebhookCall) => object;

export const allow = (): object => ({ allowed: true });

export function patching(...operations: object[]): Answer {
  const patch = Buffer.from(JSON.stringify(operations)).toString("base64");
  return () => ({ allowed: true, patch, patchType: "JSONPatch" });
}

export class WebhookScene {
  readonly store: Store;
  readonly calls: { readonly name: string; readonly request: SentRequest }[] = [];
  readonly warnings: string[] = [];
  /** For the audit log. */
  readonly annotations: [key: string, value: string][] = [];
  readonly plugins: readonly AdmissionPlugin[];
  readonly #answers = new Map<string, Answer>();

  constructor(store: Store, context: Partial<WebhookContext> = {}) {
    this.store = store;
    this.plugins = createWebhookAdmission({
      store,
      clients: { post: (call) => this.#post(call) },
      equivalentsOf: () => [],
      convert: async (objects) => objects,
      decide: () => ({ decision: "NoOpinion" }),
      ...context,
    });
  }

  /** Registers a webhook under its name, which is where it is asked. */
  async register(
    type: "mutating" | "validating",
    name: string,
    { answer = allow, ...webhook }: MutatingWebhook & { readonly answer?: Answer },
  ): Promise<void> {
    const complete: MutatingWebhook = {
      name,
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      clientConfig: { url: `https://${name}` },
      rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
      ...webhook,
    };
    setWebhookDefaults(complete);
    this.#answers.set(name, answer);
    const resource = `${type}webhookconfigurations.admissionregistration.k8s.io`;
    await this.put(resource, { name }, { webhooks: [complete] });
  }

  async put(resource: string, metadata: KubeObject["metadata"], rest: object = {}): Promise<void> {
    const { name = "", namespace = "" } = metadata;
    const object = { apiVersion: "v1", kind: "Any", metadata, ...rest } as KubeObject;
    await this.store.write({ resource, namespace, name, expected: 0, object });
  }

  attributes(change: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
    return {
      operation: "CREATE",
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
      subresource: "",
      namespace: "there",
      name: "x",
      object: configMap(),
      oldObject: undefined,
      options: { dryRun: [], fieldManager: "me", fieldValidation: "Warn" },
      dryRun: false,
      user: { name: "jane", groups: ["g"] },
      warn: (text) => this.warnings.push(text),
      annotate: (key, value) => this.annotations.push([key, value]),
      signal: new AbortController().signal,
      decode: (object) => object as KubeObject,
      reinvocation: { isReinvocation: false, request: () => {}, memory: new Map() },
      ...change,
    };
  }

  async #post(call: WebhookCall): Promise<unknown> {
    const name = (call.config.url ?? "").replace("https://", "");
    const review = call.body as { apiVersion: string; kind: string; request: SentRequest };
    this.calls.push({ name, request: review.request });
    const { apiVersion, kind, request } = review;
    const answer = this.#answers.get(name) ?? allow;
    return { apiVersion, kind, response: { uid: request.uid, ...answer(request, call) } };
  }
}

export function configMap(labels: Record<string, string> = {}): KubeObject {
  const metadata = { name: "x", namespace: "there", labels };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "1" } } as KubeObject;
}

export async function webhookScene(context: Partial<WebhookContext> = {}): Promise<WebhookScene> {
  return new WebhookScene(await openStore({ folder: "" }), context);
}

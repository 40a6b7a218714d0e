import { type ApiServer, type ApiServerOptions, createApiServer } from "@rookery/apiserver";
import { Context, collectBody, type HttpResponse } from "@rookery/http";
import { FakeClock } from "@rookery/testing";
import { type CrdRegistry, createCrdRegistry } from "../../src/crds/crd-registry.ts";
import { mergeGroups } from "../../src/crds/served-crds.ts";
import { customResourceDefinitionKind } from "../../src/kinds/apiextensions/custom-resource-definition.ts";
import { createBuiltInFieldManager } from "../../src/managed-fields/built-in-field-manager.ts";
import { servedKind } from "../../src/registry/served-kind.ts";
import { encodedJson } from "../../src/store/encoded-json.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { typedDecoder } from "../../src/types/typed-decoder.ts";
import type { WebhookCall } from "../../src/webhooks/webhook-client.ts";

export const crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

export interface Answered {
  readonly status: number;
  readonly warnings: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: what a path answers is known to the test alone
  readonly body: any;
}

/** An API server of CRDs and what they make, over a store in memory. */
export class CrdScene implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly store: Store;
  readonly registry: CrdRegistry;
  readonly server: ApiServer;
  /** Answers conversion webhooks. */
  webhook: (call: WebhookCall) => unknown = () => {
    throw new Error("there is no webhook");
  };

  constructor(store: Store, options: Partial<ApiServerOptions> = {}) {
    this.store = store;
    const now = this.clock.date;
    const timers = { setTimer: this.clock.setTimer.bind(this.clock) };
    const fieldManager = createBuiltInFieldManager(customResourceDefinitionKind);
    const context = { store, now, timers };
    this.registry = createCrdRegistry({
      ...context,
      clients: { post: async (call) => this.webhook(call) },
      fieldManager,
      onError: (error) => {
        throw error;
      },
    });
    const resource = servedKind(customResourceDefinitionKind, {
      ...context,
      decoderOf: typedDecoder as never,
      fieldManagerOf: () => fieldManager,
    });
    const own = {
      name: "apiextensions.k8s.io",
      versions: [{ name: "v1", resources: [resource] }],
    };
    const groups = () => mergeGroups([own, ...this.registry.groups()]);
    this.server = createApiServer({
      groups: groups(),
      authenticate: () => ({ name: "jane", groups: ["system:masters"] }),
      authorize: () => ({ decision: "Allow" }),
      onError: (error) => {
        throw error;
      },
      encodedJson,
      now,
      timers,
      ...options,
    });
    this.registry.onChange(() => this.server.setGroups(groups()));
  }

  async ask(
    method: string,
    target: string,
    { body, contentType = "application/json", accept = "application/json" }: Question = {},
  ): Promise<Answered> {
    const [path = "", query = ""] = target.split("?");
    const response = await this.server.handler({
      method,
      path,
      query,
      headers: { accept, ...(body !== undefined && { "content-type": contentType }) },
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
      signal: new AbortController().signal,
      context: Context.empty,
    });
    return answered(response);
  }

  /** Creates a CRD and waits until all is done for it. */
  async define(crd: object): Promise<Answered> {
    const answer = await this.ask("POST", crdPath, { body: crd });
    await this.registry.settled();
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.registry[Symbol.asyncDispose]();
    await this.store[Symbol.asyncDispose]();
  }
}

interface Question {
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
}

async function answered({ status, headers, body }: HttpResponse): Promise<Answered> {
  const text = Buffer.from(await collectBody(body, { limit: 2 ** 26 })).toString();
  const warnings = [headers.warning ?? []].flat().map((each) => each.slice(7, -1));
  return { status, warnings, body: text.startsWith("{") ? JSON.parse(text) : text };
}

export async function crdScene(options: Partial<ApiServerOptions> = {}): Promise<CrdScene> {
  return new CrdScene(await openStore({ folder: "" }), options);
}

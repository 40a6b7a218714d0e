import { createApiServer, type ServedResource, type Timers } from "@rookery/apiserver";
import { Context, collectBody, type Handler, type HttpResponse } from "@rookery/http";
import { deepEqual, type KubeObject } from "@rookery/kube";
import type { JSONSchemaProps } from "@rookery/schema";
import type { Kubernetes, KubernetesResponse, RequestOptions, WatchEvent } from "@rookery/testing";
import { configMapKind } from "../../src/kinds/core/config-map.ts";
import { namespaceKind } from "../../src/kinds/core/namespace.ts";
import { servedKind } from "../../src/registry/served-kind.ts";
import { createStatusStorage, createStorage } from "../../src/registry/storage.ts";
import type { StorageOptions } from "../../src/registry/storage-options.ts";
import { createStatusStrategy, createStrategy } from "../../src/registry/strategy.ts";
import { encodedJson } from "../../src/store/encoded-json.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { typedDecoder } from "../../src/types/typed-decoder.ts";

/** A custom kind without what CustomResourceDefinitions add to it beside its schema. */
export interface CustomKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly schema: JSONSchemaProps;
}

/** What scenarios need of a Kubernetes, answered by storages without a socket. */
export type Answering = Pick<Kubernetes, "request" | "watch" | "createNamespace" | "user"> &
  AsyncDisposable & { readonly store: Store };

/** Serves ConfigMaps, Namespaces and a custom kind over a store in memory. */
export async function serveRegistry(custom: CustomKind): Promise<Answering> {
  const now = () => new Date();
  const store = await openStore({ folder: "" });
  const context = { store, now, decoderOf: typedDecoder };
  const { handler } = createApiServer({
    timers: hastyTimers,
    limits: { requestTimeoutMs: 600_000 },
    groups: [
      {
        name: "",
        versions: [
          {
            name: "v1",
            resources: [servedKind(configMapKind, context), servedKind(namespaceKind, context)],
          },
        ],
      },
      {
        name: custom.group,
        versions: [{ name: "v1", resources: [servedCustom(custom, { store, now })] }],
      },
    ],
    authenticate: () => ({ name: "admin", groups: ["system:masters", "system:authenticated"] }),
    authorize: () => ({ decision: "Allow" }),
    onError: (error) => {
      throw error;
    },
    encodedJson,
  });
  return answering(handler, store);
}

/** A watch of a second ends after a fiftieth of one. */
const hastyTimers: Timers = {
  setTimer(callback, milliseconds) {
    const timer = setTimeout(callback, milliseconds / 50);
    return { stop: () => clearTimeout(timer) };
  },
};

function servedCustom(
  { group, kind, plural, namespaced, schema }: CustomKind,
  parts: Pick<StorageOptions, "store" | "now">,
): ServedResource {
  const options: StorageOptions = {
    ...parts,
    resource: { group, resource: plural },
    namespaced,
    apiVersion: `${group}/v1`,
    storageApiVersion: `${group}/v1`,
    kind,
    listKind: `${kind}List`,
    rules: {
      dialect: "custom",
      status: {},
      requiresResourceVersion: true,
      isNewGeneration: (object, old) => !deepEqual(withoutMetadata(object), withoutMetadata(old)),
      storagePrefix: `/registry/${group}/${plural}`,
    },
  };
  return {
    kind,
    plural,
    namespaced,
    schema,
    singular: kind.toLowerCase(),
    dialect: "custom",
    supportsDryRun: true,
    handlers: createStorage(options),
    strategy: createStrategy(options),
    subresources: {
      status: { handlers: createStatusStorage(options), strategy: createStatusStrategy(options) },
    },
  };
}

function withoutMetadata({ metadata: _, ...rest }: KubeObject): object {
  return rest;
}

function answering(handler: Handler, store: Store): Answering {
  const ask = (method: string, target: string, options: RequestOptions = {}) => {
    const [path = "", query = ""] = target.split("?");
    const { headers = {}, contentType = "application/json", body } = options;
    return handler({
      method,
      path,
      query,
      body: encoded(body),
      headers: {
        accept: "application/json",
        ...(body !== undefined && { "content-type": contentType }),
        ...headers,
      },
      signal: new AbortController().signal,
      context: Context.empty,
    });
  };
  const request: Answering["request"] = async (method, target, options) =>
    readResponse(await ask(method, target, options));
  let count = 0;
  return {
    store,
    request,
    async *watch(target, options) {
      const text = await readText(await ask("GET", target, options));
      const lines = text.split("\n").filter((line) => line !== "");
      for (const line of lines) yield JSON.parse(line) as WatchEvent;
    },
    async createNamespace(prefix) {
      const name = `${prefix}-${count++}`;
      await request("POST", "/api/v1/namespaces", { body: { metadata: { name } } });
      const dispose = async () => {};
      return { name, [Symbol.asyncDispose]: dispose } as never;
    },
    user: () => Promise.reject(new Error("there is nobody but the administrator")),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

function encoded(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(JSON.stringify(body));
}

async function readText({ body }: HttpResponse): Promise<string> {
  return Buffer.from(await collectBody(body, { limit: 2 ** 26 })).toString();
}

async function readResponse(response: HttpResponse): Promise<KubernetesResponse> {
  const { status, headers } = response;
  const text = await readText(response);
  const isJson = String(headers["content-type"]).startsWith("application/json");
  return { status, headers, body: isJson ? JSON.parse(text) : text } as KubernetesResponse;
}

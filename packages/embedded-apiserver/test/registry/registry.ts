import { setImmediate } from "node:timers/promises";
import {
  type ApiServer,
  type ApiServerOptions,
  createApiServer,
  type ServedGroup,
  type ServedResource,
} from "@rookery/apiserver";
import {
  Context,
  collectBody,
  type Handler,
  type HttpHeaders,
  type HttpRequest,
} from "@rookery/http";
import { deepEqual, type KubeObject } from "@rookery/kube";
import { FakeClock, settled } from "@rookery/testing";
import type { BuiltInKind } from "../../src/kinds/declaration/kind.ts";
import { servedKind } from "../../src/registry/served-kind.ts";
import { createStatusStorage, createStorage } from "../../src/registry/storage.ts";
import type { StorageOptions, StorageRules } from "../../src/registry/storage-options.ts";
import { createStatusStrategy, createStrategy } from "../../src/registry/strategy.ts";
import { encodedJson } from "../../src/store/encoded-json.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";

const common = { version: "v1", columns: [], goType: "", model: "" } as const;

/** Built-in kinds, each with one thing that is particular about it. */
const builtIn: readonly BuiltInKind[] = [
  {
    ...common,
    group: "",
    kind: "ConfigMap",
    plural: "configmaps",
    singular: "configmap",
    namespaced: true,
  },
  {
    ...common,
    group: "",
    kind: "Pod",
    plural: "pods",
    singular: "pod",
    namespaced: true,
    status: {},
    gracePeriodSeconds: (object, asked) =>
      asked ?? (object.spec as { grace?: number })?.grace ?? 30,
    selectableFields: {
      "spec.nodeName": (object) => (object.spec as { nodeName?: string })?.nodeName ?? "",
    },
    isNewGeneration: (object, old) => !deepEqual(object.spec, old.spec),
  },
  {
    ...common,
    group: "",
    kind: "Namespace",
    plural: "namespaces",
    singular: "namespace",
    namespaced: false,
    status: {
      prepareForUpdate: (object, old) => Object.assign(object, { spec: old.spec }),
    },
    prepareForCreate: (object) =>
      void Object.assign(object, {
        spec: { finalizers: ["kubernetes"] },
        status: { phase: "Active" },
      }),
    prepareForUpdate: (object, old) => void Object.assign(object, { spec: old.spec }),
  },
];

const widgetRules: StorageRules = {
  dialect: "custom",
  status: {},
  requiresResourceVersion: true,
  isNewGeneration: (object, old) => !deepEqual(object.spec, old.spec),
  storagePrefix: "/registry/testing.rookery.dev/widgets",
};

/** A custom kind in one or several versions, stored as v1. */
export function widgetOptions(
  parts: Pick<StorageOptions, "store" | "now"> & Partial<StorageOptions>,
): StorageOptions {
  return {
    resource: { group: "testing.rookery.dev", resource: "widgets" },
    namespaced: true,
    apiVersion: "testing.rookery.dev/v1",
    storageApiVersion: "testing.rookery.dev/v1",
    kind: "Widget",
    listKind: "WidgetList",
    rules: widgetRules,
    ...parts,
  };
}

export function servedWidget(options: StorageOptions): ServedResource {
  return {
    plural: "widgets",
    singular: "widget",
    kind: "Widget",
    namespaced: true,
    schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    dialect: "custom",
    supportsDryRun: true,
    handlers: createStorage(options),
    strategy: createStrategy(options),
    subresources: {
      status: { handlers: createStatusStorage(options), strategy: createStatusStrategy(options) },
    },
  };
}

export interface TestRegistry extends AsyncDisposable {
  readonly store: Store;
  readonly clock: FakeClock;
  readonly server: ApiServer;
  ask(target: string, question?: Question): Promise<Answered>;
  /** Begins a watch; events come as they are told. */
  watch(target: string, headers?: HttpHeaders, pace?: Pace): Promise<TestWatch>;
}

/** How a reader takes what it is told. */
type Pace = "at once" | "slowly" | "never";

interface Question {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: HttpHeaders;
}

interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what a path answers is known to the test alone
  readonly body: any;
  readonly text: string;
}

/** An API server of these kinds over a store in memory. */
export async function createTestRegistry(
  changes: { groups?: (store: Store, clock: FakeClock) => readonly ServedGroup[] } & Partial<
    Omit<ApiServerOptions, "groups">
  > = {},
): Promise<TestRegistry> {
  const clock = new FakeClock();
  const now = clock.date;
  const store = await openStore({ folder: "", now });
  const timers = { setTimer: clock.setTimer.bind(clock) };
  const resources = builtIn.map((kind) => servedKind(kind, { store, now, timers }));
  const widget = servedWidget(widgetOptions({ store, now, timers }));
  const { groups, ...options } = changes;
  const server = createApiServer({
    groups: groups?.(store, clock) ?? [
      { name: "", versions: [{ name: "v1", resources }] },
      { name: "testing.rookery.dev", versions: [{ name: "v1", resources: [widget] }] },
    ],
    authenticate: () => ({ name: "jane", groups: ["system:authenticated"] }),
    authorize: () => ({ decision: "Allow" }),
    onError: (error) => {
      throw error;
    },
    encodedJson,
    now,
    timers,
    ...options,
  });
  return {
    store,
    clock,
    server,
    ask: (target, question) => ask(server.handler, target, question),
    watch: (target, headers = {}, pace = "at once") =>
      watch(server.handler, requestOf(target, { headers }), pace),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

async function ask(handler: Handler, target: string, question: Question = {}): Promise<Answered> {
  const response = await handler(requestOf(target, question));
  const text = Buffer.from(await collectBody(response.body, { limit: 2 ** 26 })).toString();
  return { status: response.status, text, body: text.startsWith("{") ? JSON.parse(text) : text };
}

function requestOf(target: string, question: Question): HttpRequest {
  const [path = "", query = ""] = target.split("?");
  const { body, headers } = question;
  return {
    method: question.method ?? (body === undefined ? "GET" : "POST"),
    path,
    query,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    signal: new AbortController().signal,
    context: Context.empty,
  };
}

interface TestWatch {
  readonly status: number;
  /** What was told so far. */
  readonly events: { type: string; object: KubeObject & { code?: number; message?: string } }[];
  /** Each as "<type> <name>@<resourceVersion>". */
  readonly told: string[];
  /** While true, the reader takes nothing. */
  isStuck: boolean;
  /** Lets a stuck reader take all. */
  release(): void;
  /** Resolves when the server ends it. */
  readonly ended: Promise<void>;
  stop(): void;
}

async function watch(handler: Handler, request: HttpRequest, pace: Pace): Promise<TestWatch> {
  const leave = new AbortController();
  const response = await handler({ ...request, signal: leave.signal });
  const room = Promise.withResolvers<void>();
  const events: TestWatch["events"] = [];
  const told: string[] = [];
  const sink = {
    write(chunk: Uint8Array) {
      for (const line of Buffer.from(chunk).toString().trimEnd().split("\n")) {
        const event = JSON.parse(line);
        events.push(event);
        const { name = "", resourceVersion = "" } = event.object.metadata;
        told.push(`${event.type} ${name}@${resourceVersion}`);
      }
      return !result.isStuck && pace !== "slowly";
    },
    drained: () => (result.isStuck ? room.promise : setImmediate()),
    signal: leave.signal,
  };
  const result: TestWatch = {
    status: response.status,
    events,
    told,
    isStuck: pace === "never",
    ended: Promise.resolve(),
    release() {
      result.isStuck = false;
      room.resolve();
    },
    stop: () => leave.abort(),
  };
  const run = async () => {
    if (typeof response.body === "function") await response.body(sink);
  };
  Object.assign(result, { ended: run() });
  // What was there before is told within the tick.
  await settled();
  return result;
}

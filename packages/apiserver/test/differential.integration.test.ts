import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type ApiServerOptions, createApiServer, type ServedGroup } from "@rookery/apiserver";
import type { Handler } from "@rookery/http";
import { type KubeObject, notFoundError } from "@rookery/kube";
import {
  type Credentials,
  type CustomResourceDefinition,
  type Kubernetes,
  startKubernetes,
} from "@rookery/testing";
import { ask, jane } from "./asking.ts";
import { builtInRows, customRows, forbiddenRows, group, type Row } from "./differential-rows.ts";
import { greetingSchema } from "./greetings.ts";

const names = (kind: string, plural: string) => ({
  plural,
  singular: kind.toLowerCase(),
  kind,
  shortNames: [plural.slice(0, 3)],
});

const kinds = [
  { ...names("Greeting", "greetings"), namespaced: false },
  { ...names("Wave", "waves"), namespaced: true },
];

function crdOf({ namespaced, ...crdNames }: (typeof kinds)[number]): CustomResourceDefinition {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${crdNames.plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? "Namespaced" : "Cluster",
      names: crdNames,
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: greetingSchema },
        },
      ],
    },
  };
}

function emptyStore(of: string, { kind, plural }: { kind: string; plural: string }) {
  const missing = ({ name }: { name: string }): never => {
    throw notFoundError({ group: of, resource: plural }, name);
  };
  const apiVersion = of === "" ? "v1" : `${of}/v1`;
  return {
    create: ({ object }: { object: KubeObject }) => object,
    get: missing,
    list: () => ({ apiVersion, kind: `${kind}List`, metadata: {}, items: [] }),
    watch: () => async () => {},
    update: missing,
    delete: missing,
    deleteCollection: missing,
  };
}

/** The same kinds, with a store that is always empty. */
function servedGroup(): ServedGroup {
  const resources = kinds.map((kind) => {
    const handlers = emptyStore(group, kind);
    const { get, update } = handlers;
    const subresources = { status: { handlers: { get, update } } };
    const dialect = "custom" as const;
    return {
      ...kind,
      schema: greetingSchema,
      handlers,
      subresources,
      dialect,
      supportsDryRun: true,
    };
  });
  return { name: group, versions: [{ name: "v1", resources }] };
}

const reviewGroup: ServedGroup = {
  name: "authentication.k8s.io",
  versions: [
    {
      name: "v1",
      resources: [
        {
          ...names("SelfSubjectReview", "selfsubjectreviews"),
          namespaced: false,
          schema: { type: "object" },
          handlers: { create: ({ object }) => object },
        },
      ],
    },
  ],
};

const coreGroup: ServedGroup = {
  name: "",
  versions: [
    {
      name: "v1",
      resources: [
        {
          ...names("ConfigMap", "configmaps"),
          namespaced: true,
          schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          handlers: emptyStore("", { kind: "ConfigMap", plural: "configmaps" }),
        },
      ],
    },
  ],
};

function serverOf(options: Partial<ApiServerOptions> = {}): Handler {
  const { handler } = createApiServer({
    groups: [servedGroup(), reviewGroup, coreGroup],
    authenticate: () => jane,
    authorize: () => ({ decision: "Allow" }),
    onError: assert.ifError,
    ...options,
  });
  return handler;
}

/** Verbs come in any order, and the hash of what is stored is the store's. */
function withoutOrder(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === "verbs") return value.toSorted();
    return key === "storageVersionHash" ? undefined : value;
  });
}

/** What clients look at; lists and objects are the store's, not the server's. */
function comparable({ status, headers, body }: { status: number; headers: object; body: unknown }) {
  const { warning, "content-type": contentType } = headers as Record<string, unknown>;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  // Protobuf is served by kube-apiserver alone.
  const said = text.replaceAll(", application/vnd.kubernetes.protobuf", "");
  return { status, contentType, warning, body: typeof body === "string" ? said : JSON.parse(said) };
}

describe("bad requests are answered as a real kube-apiserver answers them", () => {
  let kubernetes: Kubernetes;
  let nobody: Credentials;

  before(async () => {
    kubernetes = await startKubernetes();
    for (const kind of kinds) await kubernetes.applyCrd(crdOf(kind));
    nobody = await kubernetes.user({ name: "jane" });
  });

  after(async () => {
    const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    for (const { plural } of kinds)
      await kubernetes?.request("DELETE", `${crds}/${plural}.${group}`);
    await kubernetes?.[Symbol.asyncDispose]();
  });

  async function compare(row: Row, handler: Handler, as?: Credentials): Promise<void> {
    const { path, headers = {}, body } = row;
    const method = row.method ?? (body === undefined ? "GET" : "POST");
    const bytes = body === undefined ? {} : { body: Buffer.from(body) };
    const contentType = headers["content-type"];
    const real = await kubernetes.request(method, path, {
      headers: { "user-agent": "rookery", ...headers },
      ...bytes,
      ...(contentType && { contentType }),
      ...(as && { as }),
    });
    const own = await ask(handler, path, {
      method,
      headers: { accept: "application/json", "user-agent": "rookery", ...headers },
      ...bytes,
    });
    assert.ok(real.status >= 400, `the row is answered well: ${JSON.stringify(real.body)}`);
    assert.deepEqual(comparable(own), comparable(real));
  }

  for (const [sentence, row] of Object.entries(customRows)) {
    test(`a custom kind: ${sentence}`, () => compare(row, serverOf()));
  }

  for (const [sentence, row] of Object.entries(builtInRows)) {
    test(`a kind that is built in: ${sentence}`, () => compare(row, serverOf()));
  }

  for (const [sentence, row] of Object.entries(forbiddenRows)) {
    test(`who may not: ${sentence}`, () =>
      compare(row, serverOf({ authorize: () => ({ decision: "NoOpinion" }) }), nobody));
  }

  test("discovery says the same of the same kinds", async () => {
    const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    const handler = serverOf();
    for (const path of [`/apis/${group}`, `/apis/${group}/v1`]) {
      const real = await kubernetes.request("GET", path);
      const own = await ask(handler, path, { headers: { accept: "application/json" } });
      assert.deepEqual(withoutOrder(own.body), withoutOrder(real.body));
    }
    const itemOf = (body: { items: { metadata: { name: string } }[] }) =>
      body.items.find(({ metadata }) => metadata.name === group);
    const real = await kubernetes.request("GET", "/apis", { headers: { accept } });
    const own = await ask(handler, "/apis", { headers: { accept } });
    assert.equal(own.headers["content-type"], real.headers["content-type"]);
    assert.deepEqual(withoutOrder(itemOf(own.body)), withoutOrder(itemOf(real.body)));
  });

  test("nobody: a token that is not good", async () => {
    const row = { path: "/apis", headers: { authorization: "Bearer nonsense" } };
    const authenticate = () => {
      throw new Error("invalid bearer token");
    };
    const handler = serverOf({ authenticate, onError: () => {} });
    const { path, headers } = row;
    const real = await kubernetes.request("GET", path, { headers, as: "anonymous" });
    const own = await ask(handler, path, { headers: { accept: "application/json", ...headers } });
    assert.deepEqual(comparable(own), comparable(real));
  });
});

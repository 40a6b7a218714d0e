import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Client, createClient, createClientOver, loadConfig } from "@rookery/client";
import { type Component, componentKeyOf } from "@rookery/components";
import { compose, type Interceptor } from "@rookery/http";
import type { KubeObject } from "@rookery/kube";
import {
  type Kubernetes,
  notOnEmbedded,
  startKubernetes,
  type TestNamespace,
  waitFor,
} from "@rookery/testing";
import { customResourceDefinitions as definitions } from "../../src/resources.ts";
import {
  areFirstDefinitions,
  migrateStoredVersions,
  prepareStoredVersions,
} from "../../src/storage-versions/stored-versions.ts";

const group = "stored-versions.rookery.dev";
const { signal } = new AbortController();

/** Objects of a kind of its own for each test, in versions of which the last is stored. */
class Kind {
  readonly plural: string;
  readonly #client: Client;

  constructor(client: Client, plural: string) {
    this.#client = client;
    this.plural = plural;
  }

  get name(): string {
    return `${this.plural}.${group}`;
  }

  definition(versions: readonly string[], more: object = {}): Component {
    const schema = {
      openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    };
    return {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: this.name },
      spec: {
        group,
        scope: "Namespaced",
        names: { kind: this.plural, plural: this.plural, singular: this.plural },
        versions: versions.map((name, index) => ({
          name,
          served: true,
          storage: index === versions.length - 1,
          schema,
        })),
        ...more,
      },
    };
  }

  async define(versions: readonly string[], more?: object): Promise<void> {
    await this.#client
      .resource(definitions)
      .apply(this.definition(versions, more), { fieldManager: "test", force: true });
  }

  objects(version: string) {
    const names = { kind: this.plural, plural: this.plural, singular: this.plural };
    return this.#client.resource<KubeObject>({ group, version, ...names, namespaced: true });
  }

  /** Right after a change of its versions the API server sets the storage of a kind up anew. */
  async all(version: string): Promise<readonly KubeObject[]> {
    const what = `${this.plural} to be listed`;
    return (await waitFor(() => this.objects(version).listAll(), { what })).items;
  }

  async make(namespace: string, version: string, count: number): Promise<void> {
    const names = Array.from({ length: count }, (_, index) => `object-${index}`).values();
    const work = async () => {
      for (const name of names) await this.#makeOne(namespace, version, name);
    };
    await Promise.all(Array.from({ length: 16 }, work));
  }

  #makeOne(namespace: string, version: string, name: string): Promise<KubeObject> {
    const object = {
      apiVersion: `${group}/${version}`,
      kind: this.plural,
      metadata: { namespace, name },
      spec: { kept: true },
    };
    const what = `${this.plural} to be served`;
    return waitFor(() => this.objects(version).create(object), { what });
  }

  async storedVersions(): Promise<readonly string[]> {
    const { status } = await this.#client
      .resource<KubeObject>(definitions)
      .get({ name: this.name });
    return (status as { storedVersions?: readonly string[] }).storedVersions ?? [];
  }
}

/** A client whose process dies with the n-th write. */
function dyingAt(client: Client, writes: number): { client: Client; signal: AbortSignal } {
  const death = new AbortController();
  let count = 0;
  const countWrites: Interceptor = (next) => (request) => {
    if (request.method === "PATCH" && ++count === writes) death.abort(new Error("died"));
    death.signal.throwIfAborted();
    return next(request);
  };
  return { client: createClientOver(compose(client.handler, countWrites)), signal: death.signal };
}

const needsPolicies = await notOnEmbedded("it has no ValidatingAdmissionPolicy");

describe("versions that objects are stored in", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let namespace: TestNamespace;
  const kinds: Kind[] = [];
  const kindOf = (plural: string) => {
    const kind = new Kind(client, plural);
    kinds.push(kind);
    return kind;
  };

  before(async () => {
    kubernetes = await startKubernetes();
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    namespace = await kubernetes.createNamespace("stored-versions");
  });
  after(async () => {
    for (const { name } of kinds) await client.resource(definitions).delete({ name });
    await namespace[Symbol.asyncDispose]();
    await client.destroy();
    await kubernetes[Symbol.asyncDispose]();
  });

  it("are all rewritten before a version goes that some are stored in, in pages, also when killed on the way", async () => {
    const kind = kindOf("eggs");
    await kind.define(["v1"]);
    await kind.make(namespace.name, "v1", 130);
    await kind.define(["v1", "v2"]);
    assert.deepEqual(await kind.storedVersions(), ["v1", "v2"]);
    const next = [kind.definition(["v2"])];
    const dying = dyingAt(client, 115);
    // Before that, the API server may be at the definition at the same time.
    await waitFor(
      () =>
        prepareStoredVersions(next, dying.client, dying.signal).then(
          () => assert.fail("it was not killed"),
          (error: unknown) => /died/.test(String(error)),
        ),
      { what: "it to be killed", fatal: (error) => error instanceof assert.AssertionError },
    );
    assert.deepEqual(await kind.storedVersions(), ["v1", "v2"]);

    await waitFor(
      async () => {
        await prepareStoredVersions(next, client, signal);
        return true;
      },
      { what: "all objects to be rewritten" },
    );
    assert.deepEqual(await kind.storedVersions(), ["v2"]);
    await kind.define(["v2"]);
    // An object that was still stored as v1 could not be read any more.
    const items = await kind.all("v2");
    assert.equal(items.length, 130);
    assert.ok(items.every(({ metadata }) => metadata.managedFields?.length === 1));
    await prepareStoredVersions(next, client, signal);
  });

  it("are refused to be lost where no storage version stays", async () => {
    const kind = kindOf("nests");
    await kind.define(["v1"]);
    await kind.make(namespace.name, "v1", 1);
    await assert.rejects(prepareStoredVersions([kind.definition(["v2"])], client, signal), {
      condition: "ProviderInstalled",
      reason: "StoredVersionDropped",
      message:
        /^could not change CustomResourceDefinition nests\.stored-versions\.rookery\.dev: it would lose version v1, .*; install a version of the provider first that has v1 and a newer storage version$/,
    });
    assert.deepEqual(await kind.storedVersions(), ["v1"]);
  });

  it("need nothing where the definition is not there yet, or loses nothing", async () => {
    const kind = kindOf("feathers");
    await prepareStoredVersions([kind.definition(["v1"])], client, signal);
    assert.equal(await migrateStoredVersions([kind.definition(["v1"])], client, signal), true);
    await kind.define(["v1"]);
    await prepareStoredVersions([kind.definition(["v1", "v2"])], client, signal);
    assert.deepEqual(await kind.storedVersions(), ["v1"]);
  });

  it("need no look where a definition was never changed", async () => {
    const kind = kindOf("tails");
    const label = "stored-versions-test";
    const labels = { "cluster.x-k8s.io/provider": label };
    const crds = [componentKeyOf(kind.definition(["v1"]))];
    const areFirst = () => areFirstDefinitions(crds, label, client);
    assert.equal(await areFirst(), false, "it is not there");
    await kind.define(["v1"]);
    assert.equal(await areFirst(), false, "it is not the provider's");
    const patch = { metadata: { labels } };
    await client.resource(definitions).patch({ name: kind.name }, { type: "merge", patch });
    assert.equal(await areFirst(), true);
    await kind.define(["v1", "v2"]);
    assert.equal(await areFirst(), false, "it has another storage version");
  });

  it("become the storage version alone after an upgrade", async () => {
    const kind = kindOf("wings");
    await kind.define(["v1"]);
    await kind.make(namespace.name, "v1", 3);
    await kind.define(["v1", "v2"]);
    const crds = [kind.definition(["v1", "v2"])];
    await waitFor(() => migrateStoredVersions(crds, client, signal), { what: "the migration" });
    assert.deepEqual(await kind.storedVersions(), ["v2"]);
    await kind.define(["v2"]);
    assert.equal((await kind.all("v2")).length, 3);
  });

  it("wait for a conversion webhook that does not answer", async () => {
    const kind = kindOf("beaks");
    await kind.define(["v1"]);
    await kind.make(namespace.name, "v1", 1);
    const clientConfig = { url: "https://127.0.0.1:9/convert" };
    const webhook = { clientConfig, conversionReviewVersions: ["v1"] };
    await kind.define(["v1", "v2"], { conversion: { strategy: "Webhook", webhook } });
    const crds = [kind.definition(["v1", "v2"])];
    assert.equal(await migrateStoredVersions(crds, client, signal), false);
    const dropped = [kind.definition(["v2"])];
    await waitFor(
      async () => {
        const error = await prepareStoredVersions(dropped, client, signal).catch((error) => error);
        assert.equal(error.reason, "StoredVersionsNotMigrated");
        assert.equal(error.retryAfterSeconds, 10);
        return /conversion webhook for .* failed.*is not paused$/.test(error.message);
      },
      { what: "the webhook to be named" },
    );
    assert.deepEqual(await kind.storedVersions(), ["v1", "v2"]);
    await kind.define(["v1", "v2"], { conversion: { strategy: "None" } });
    await waitFor(() => migrateStoredVersions(crds, client, signal), { what: "the migration" });
  });

  it("stay recorded where an object is refused, which is named", {
    skip: needsPolicies,
  }, async () => {
    const kind = kindOf("claws");
    await kind.define(["v1"]);
    await kind.make(namespace.name, "v1", 3);
    await kind.define(["v1", "v2"]);
    const stack = new AsyncDisposableStack();
    stack.use(await refuseChangesOf(kubernetes, kind.plural, "object-1"));
    const bad = { namespace: namespace.name, name: "object-1" };
    const change = { type: "merge", patch: { metadata: { labels: { a: "b" } } } } as const;
    const isRefused = () =>
      kind
        .objects("v1")
        .patch(bad, change, { dryRun: true })
        .then(
          () => false,
          // And not because the API server sets the storage of the kind up anew.
          (error) => /not this one/.test(String(error)),
        );
    await waitFor(isRefused, { what: "the policy to be in effect" });
    const crds = [kind.definition(["v1", "v2"])];
    const migration = () => migrateStoredVersions(crds, client, signal);
    const error = await waitFor(() => migration().catch((error: Error) => error), {
      what: "an error",
    });
    assert.match(
      String(error),
      /claws\.stored-versions\.rookery\.dev .* refuses stored-versions-\w+\/object-1 \(.*not this one.*\); correct or delete them/,
    );
    assert.deepEqual(await kind.storedVersions(), ["v1", "v2"]);
    await stack.disposeAsync();
    await waitFor(migration, { what: "the migration, once the object can be written" });
    assert.deepEqual(await kind.storedVersions(), ["v2"]);
  });
});

/** Until it is disposed of, nobody can change an object of the name. */
async function refuseChangesOf(
  kubernetes: Kubernetes,
  plural: string,
  object: string,
): Promise<AsyncDisposable> {
  const rule = {
    apiGroups: [group],
    apiVersions: ["*"],
    operations: ["UPDATE"],
    resources: [plural],
  };
  const validation = { expression: `object.metadata.name != "${object}"`, message: "not this one" };
  const metadata = { name: `${plural}-${group}` };
  const apiVersion = "admissionregistration.k8s.io/v1";
  const policy = {
    apiVersion,
    kind: "ValidatingAdmissionPolicy",
    metadata,
    spec: { matchConstraints: { resourceRules: [rule] }, validations: [validation] },
  };
  const binding = {
    apiVersion,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata,
    spec: { policyName: metadata.name, validationActions: ["Deny"] },
  };
  const stdin = JSON.stringify({ apiVersion: "v1", kind: "List", items: [policy, binding] });
  await kubernetes.kubectl(["apply", "-f", "-"], { stdin });
  const dispose = async () => {
    await kubernetes.kubectl(["delete", "-f", "-"], { stdin });
  };
  return { [Symbol.asyncDispose]: dispose };
}

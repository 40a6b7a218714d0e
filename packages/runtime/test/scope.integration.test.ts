import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type Client, createClient, type ResourceClient } from "@rookery/client";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { type Cache, createCache, OutOfScopeError, parseProviderFlags } from "@rookery/runtime";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { adminClient, type Nest, nest, nests, nestsCrd } from "./nests.ts";
import { RecordedEvents } from "./recorded-events.ts";
import { WireTap } from "./wire-tap.ts";

const { namespaces, secrets } = builtInResources;
const watched = ["watch1", "watch2", "watch3"];

/** One instance of a provider: in a namespace of its own, under a service account of its own. */
class Instance implements AsyncDisposable {
  readonly name: string;
  /** By which the audit log tells it from its namesakes. */
  readonly userAgent: string;
  readonly cache: Cache;
  readonly tap: WireTap;
  readonly events = new RecordedEvents<Nest>();
  readonly namespaceEvents = new RecordedEvents<KubeObject>();
  readonly #client: Client;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  static async start(
    kubernetes: Kubernetes,
    { name, args }: { readonly name: string; readonly args: readonly string[] },
  ): Promise<Instance> {
    const flags = parseProviderFlags(args, {});
    assert.ok(!flags.help);
    const userAgent = `${name}/${randomUUID()}`;
    const tap = new WireTap(watched.map((namespace) => `"namespace":"${namespace}"`));
    const client = createClient(
      {
        server: kubernetes.server,
        certificateAuthority: { pem: kubernetes.ca },
        namespace: name,
        user: { token: await tokenOf(kubernetes, name) },
      },
      { interceptors: [tap.interceptor], userAgent },
    );
    const cache = createCache({ client, scope: flags.scope, ownNamespace: name });
    const instance = new Instance({ name, userAgent, client, cache, tap });
    await cache.waitForReady?.(AbortSignal.timeout(60_000));
    return instance;
  }

  private constructor(parts: {
    readonly name: string;
    readonly userAgent: string;
    readonly client: Client;
    readonly cache: Cache;
    readonly tap: WireTap;
  }) {
    this.name = parts.name;
    this.userAgent = parts.userAgent;
    this.#client = parts.client;
    this.cache = parts.cache;
    this.tap = parts.tap;
    this.cache.informerFor<Nest>(nests).addEventHandler(this.events.handle);
    this.cache.informerFor(namespaces).addEventHandler(this.namespaceEvents.handle);
    this.#running = this.cache.start(this.#stop.signal);
  }

  /** "create watch1/a" of all that was heard, in order. */
  get heard(): string[] {
    return this.events.events.map((event) => {
      const { namespace, name } = (event.type === "update" ? event.objectNew : event.object)
        .metadata;
      return `${event.type} ${namespace}/${name}`;
    });
  }

  heardOf(namespace: string): string[] {
    return this.heard.filter((event) => event.includes(` ${namespace}/`));
  }

  /** How many objects of a namespace came over the wire, wanted or not. */
  received(namespace: string): number {
    return this.tap.count(`"namespace":"${namespace}"`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#client.destroy();
  }
}

async function tokenOf(kubernetes: Kubernetes, namespace: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/capi-manager/token`;
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const answer = await kubernetes.request("POST", path, { body });
  assert.equal(answer.status, 201);
  return answer.body.status.token;
}

describe("several instances of one provider", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let resource: ResourceClient<Nest>;
  before(async () => {
    kubernetes = await startKubernetes({ controllerManager: false, audit: "Metadata" });
    await kubernetes.applyCrd(nestsCrd);
    client = await adminClient(kubernetes);
    resource = client.resource(nests);
    await deploy("capi1-system", "capi2-system");
    for (const name of watched) await createNamespace(name);
  });
  after(async () => {
    await client.destroy();
    await kubernetes[Symbol.asyncDispose]();
  });

  const createNamespace = (name: string) =>
    client.resource(namespaces).create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

  /** Each instance has its own namespace and service account; all share one cluster role. */
  async function deploy(...instances: readonly string[]): Promise<void> {
    const role = ["create", "clusterrole", "capi-aggregated-manager-role"];
    const resources = `--resource=nests.${nests.group},namespaces,secrets`;
    await kubernetes.kubectl([...role, "--verb=get,list,watch", resources]);
    for (const namespace of instances) {
      await createNamespace(namespace);
      await kubernetes.kubectl(["create", "serviceaccount", "capi-manager", `-n=${namespace}`]);
    }
    await kubernetes.kubectl([
      "create",
      "clusterrolebinding",
      "capi-manager-rolebinding",
      "--clusterrole=capi-aggregated-manager-role",
      ...instances.map((namespace) => `--serviceaccount=${namespace}:capi-manager`),
    ]);
  }

  /** Creates, changes and deletes an object in each of the namespaces. */
  async function live(name: string, ...where: readonly string[]): Promise<void> {
    for (const namespace of where) {
      await resource.create(nest({ namespace, name }));
      await resource.patch({ namespace, name }, { type: "merge", patch: { spec: { eggs: 3 } } });
      await resource.delete({ namespace, name });
    }
  }

  const lifeOf = (key: string) => [`create ${key}`, `update ${key}`, `delete ${key}`];
  const hasHeard = (instance: Instance, event: string) =>
    waitFor(() => instance.heard.includes(event), { what: `${instance.name} to hear: ${event}` });

  /** The paths that an instance listed and watched, as the API server says, with their selectors. */
  async function requestsOf({ name, userAgent }: Instance): Promise<string[]> {
    const log = await readFile(join(kubernetes.logs, "audit.log"), "utf8");
    // The server may be in the middle of the last line.
    const entries = log.split("\n").slice(0, -1);
    const own = entries
      .map((line) => JSON.parse(line))
      .filter((entry) => entry.userAgent === userAgent && entry.objectRef.resource === "nests");
    const paths = own.map(({ user, requestURI }) => {
      assert.equal(user.username, `system:serviceaccount:${name}:capi-manager`);
      const { pathname, searchParams } = new URL(requestURI, kubernetes.server);
      return `${pathname} ${searchParams.get("fieldSelector") ?? ""}`.trim();
    });
    return [...new Set(paths)].toSorted();
  }

  const all = `/apis/${nests.group}/${nests.version}/nests`;
  const of = (namespace: string) =>
    `/apis/${nests.group}/${nests.version}/namespaces/${namespace}/nests`;

  test("watch all namespaces without a flag, those made later included", async () => {
    await using one = await Instance.start(kubernetes, { name: "capi1-system", args: [] });
    await using two = await Instance.start(kubernetes, { name: "capi2-system", args: [] });
    await live("all", ...watched);
    await createNamespace("watch4");
    await live("all", "watch4");
    for (const instance of [one, two]) {
      await hasHeard(instance, "delete watch4/all");
      const lives = [...watched, "watch4"].flatMap((namespace) => lifeOf(`${namespace}/all`));
      assert.deepEqual(instance.heard, lives);
      assert.ok(instance.received("watch3") > 0);
      assert.deepEqual(await requestsOf(instance), [all]);
    }
  });

  const selections = {
    "--namespace watch1 and --namespace watch2": ["--namespace", "watch1", "--namespace", "watch2"],
    "--namespace watch1,watch2": ["--namespace=watch1,watch2"],
    "--excluded-namespace watch3": ["--excluded-namespace", "watch3"],
  };
  for (const [flags, args] of Object.entries(selections)) {
    test(`watch watch1 and watch2 with ${flags}, and nothing of watch3 arrives`, async () => {
      await resource.create(nest({ namespace: "watch3", generateName: "there-before-" }));
      await using one = await Instance.start(kubernetes, { name: "capi1-system", args });
      await using two = await Instance.start(kubernetes, { name: "capi2-system", args });
      await live("selected", "watch3", "watch1", "watch3", "watch2");
      for (const instance of [one, two]) {
        await hasHeard(instance, "delete watch2/selected");
        await hasHeard(instance, "delete watch1/selected");
        assert.deepEqual(instance.heardOf("watch1"), lifeOf("watch1/selected"));
        assert.deepEqual(instance.heardOf("watch2"), lifeOf("watch2/selected"));
        assert.equal(instance.heard.length, 6);
        assert.equal(instance.received("watch3"), 0);
        assert.ok(instance.received("watch1") > 0);
        const expected = args.some((arg) => arg.startsWith("--excluded"))
          ? [`${all} metadata.namespace!=watch3`]
          : [of("watch1"), of("watch2")];
        assert.deepEqual(await requestsOf(instance), expected);
      }
    });
  }

  test("divide the namespaces: one watches its own, the other all the rest", async () => {
    const own = ["--namespace=watch1", "--namespace=watch2"];
    const rest = ["--excluded-namespace=watch1", "--excluded-namespace=watch2"];
    await using one = await Instance.start(kubernetes, { name: "capi1-system", args: own });
    await using two = await Instance.start(kubernetes, { name: "capi2-system", args: rest });
    assert.deepEqual(one.heard, []);
    await live("divided", ...watched);
    for (const namespace of ["watch1", "watch2"]) {
      await hasHeard(one, `delete ${namespace}/divided`);
      assert.deepEqual(one.heardOf(namespace), lifeOf(`${namespace}/divided`));
      assert.deepEqual(two.heardOf(namespace), []);
    }
    await hasHeard(two, "delete watch3/divided");
    assert.deepEqual(two.heardOf("watch3").slice(-3), lifeOf("watch3/divided"));
    assert.deepEqual(one.heardOf("watch3"), []);
  });

  for (const args of [["--namespace=watch1"], ["--excluded-namespace=watch3"]]) {
    test(`watch cluster-scoped kinds as always with ${args}`, async () => {
      await using instance = await Instance.start(kubernetes, { name: "capi1-system", args });
      const names = [...instance.namespaceEvents.known.keys()];
      for (const name of watched) assert.ok(names.includes(name));
    });
  }

  test("would be refused a cluster-scoped kind with the selector that excludes", async () => {
    const path = "/api/v1/namespaces?fieldSelector=metadata.namespace!%3Dwatch3";
    const { status, body } = await kubernetes.request("GET", path);
    assert.equal(status, 400);
    assert.match(body.message, /field label not supported: metadata.namespace/);
  });

  test("read their own namespace by key although they do not watch it, and no other", async () => {
    for (const namespace of ["capi1-system", "watch3"]) {
      const path = `/api/v1/namespaces/${namespace}/secrets`;
      const metadata = { name: "certificate" };
      const body = { apiVersion: "v1", kind: "Secret", metadata };
      assert.equal((await kubernetes.request("POST", path, { body })).status, 201);
    }
    const args = ["--namespace=watch1"];
    await using instance = await Instance.start(kubernetes, { name: "capi1-system", args });
    const { cache } = instance;
    const own = await cache.get(secrets, { namespace: "capi1-system", name: "certificate" });
    assert.equal(own?.metadata.name, "certificate");
    await assert.rejects(
      cache.get(secrets, { namespace: "watch3", name: "certificate" }),
      new OutOfScopeError({ resource: "secrets", namespace: "watch3", flag: "--namespace=watch1" }),
    );
    await resource.create(nest({ namespace: "capi1-system", name: "own" }));
    await live("other", "watch1");
    await hasHeard(instance, "delete watch1/other");
    assert.deepEqual(instance.heard, lifeOf("watch1/other"));
  });
});

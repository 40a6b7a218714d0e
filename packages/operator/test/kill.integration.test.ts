import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Provider } from "@rookery/api";
import { type Client, createClient, createClientOver, loadConfig } from "@rookery/client";
import { discardBody, type HttpRequest } from "@rookery/http";
import { builtInResources, getCondition, type KubeObject } from "@rookery/kube";
import { type Kubernetes, PretendKubelet, startKubernetes, waitFor } from "@rookery/testing";
import { dumpComponents } from "./cluster-dump.ts";
import { installOperatorAccount } from "./operator-account.ts";
import { Administrator, RunningOperator } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

/** More than any operation has writes: each provider is cut off after one write more. */
const count = 50;
const numbers = Array.from({ length: count }, (_, index) => index + 1);
const kind = "InfrastructureProvider";
const core = { namespace: "core-system", name: "cluster-api" };
const keyOf = (number: number) => ({ namespace: `p${number}-system`, name: `p${number}` });

const config = (number: number) => `
apiVersion: v1
kind: ConfigMap
metadata: {name: old-config, namespace: p${number}-system}
data: {a: b}
`;

/**
 * Fifty small providers, the same but for their names. Of the first, nothing that the operator sends
 * arrives after its first write, of the second after the second, and so on; of that write the answer
 * is lost. Then the operator ends, and another one goes on.
 */
describe("an operator of fifty providers that is killed after any of its writes", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let account: Client;
  let admin: Administrator;
  let kubelet: PretendKubelet;

  before(async () => {
    kubernetes = await startKubernetes({ private: true });
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    account = await installOperatorAccount(kubernetes);
    admin = new Administrator(client);
    kubelet = new PretendKubelet(client);
    await using _ = await RunningOperator.start(account);
    const components = smallProvider({ name: "core" });
    await admin.install("CoreProvider", core, { name: core.name, version: "v1.0.0", components });
    await Promise.all(numbers.map(offer));
  });
  after(async () => {
    await kubelet[Symbol.asyncDispose]();
    await account.destroy();
    await client.destroy();
    await kubernetes[Symbol.asyncDispose]();
  });

  async function offer(number: number): Promise<void> {
    const { namespace, name } = keyOf(number);
    await admin.makeNamespace(namespace);
    const old = smallProvider({ name, more: config(number) });
    await admin.offer(namespace, { name, version: "v1.0.0", components: old });
    const next = smallProvider({ name, image: "example.com/manager:v2" });
    await admin.offer(namespace, { name, version: "v1.1.0", components: next });
  }

  /** Asks for something of all, has each cut off somewhere, and then brought to its end. */
  async function operate(
    ask: (number: number) => Promise<unknown>,
    isDone: (provider: Provider | undefined) => boolean,
  ): Promise<void> {
    const { mortal, cut } = mortalClient(account);
    const all = (what: string, hasEnded: (number: number) => boolean) =>
      waitFor(
        async () => {
          const { items } = await admin.list(kind);
          const byName = new Map(items.map((one) => [one.metadata.name, one]));
          const open = numbers.filter((number) => !hasEnded(number));
          return open.every((number) => isDone(byName.get(keyOf(number).name)));
        },
        { what, timeout: 300_000, interval: 200 },
      );
    {
      await using _ = await RunningOperator.start(mortal);
      await Promise.all(numbers.map(ask));
      await all("every provider to be cut off, or done", (number) => cut.has(number));
    }
    assert.ok(!cut.has(count), `an operation has more than ${count} writes: raise the count`);
    assert.ok(cut.size > 10, `only ${cut.size} providers were cut off`);
    await using _ = await RunningOperator.start(account);
    await all("every provider to be done", () => false);
  }

  /** All that there is of each provider, under one name. */
  async function dumps(): Promise<readonly unknown[]> {
    const components = await dumpComponents(client);
    const secrets = await client.resource<KubeObject>(builtInResources.secrets).list({
      labelSelector: "management.cluster.x-k8s.io/operator-record",
    });
    return numbers.map((number) => {
      const isOf = (text: string) => new RegExp(`\\bp${number}\\b`).test(text);
      const own = Object.entries(components).filter(([key]) => isOf(key));
      const records = secrets.items
        .filter(({ metadata }) => isOf(metadata.namespace ?? ""))
        .map(({ metadata }) => metadata.labels?.["management.cluster.x-k8s.io/operator-record"]);
      const text = JSON.stringify([Object.fromEntries(own), records.sort()]);
      return JSON.parse(text.replaceAll(new RegExp(`\\bp${number}\\b`, "g"), "pX"));
    });
  }

  async function allAreTheSame(): Promise<unknown> {
    const found = await dumps();
    const whole = found.at(-1);
    for (const [index, dump] of found.entries()) {
      assert.deepEqual(dump, whole, `cut off after write ${index + 1}`);
    }
    return whole;
  }

  const isReady = (version: string) => (provider: Provider | undefined) => {
    const ready = getCondition(provider?.status?.conditions, "Ready");
    const isNow = ready?.observedGeneration === provider?.metadata.generation;
    return isNow && ready?.status === "True" && provider?.status?.installedVersion === version;
  };

  it("installs the same", async () => {
    await operate(
      (number) =>
        admin.create(kind, keyOf(number), {
          version: "v1.0.0",
          deletionPolicy: { customResourceDefinitions: "Delete" },
        }),
      isReady("v1.0.0"),
    );
    assert.match(JSON.stringify(await allAreTheSame()), /old-config.*"release","state"/);
  });

  it("looks at all of them anew, and writes at most once", async () => {
    const writes: string[] = [];
    const counting = createClientOver((request) => {
      if (request.method !== "GET") writes.push(`${request.method} ${request.path}`);
      return account.handler(request);
    });
    await using _ = await RunningOperator.start(counting);
    // Requests are worked on in their order: when this one is done, all that were there before are.
    const key = { namespace: "latecomer-system", name: "latecomer" };
    const components = smallProvider({ name: key.name });
    await admin.install(kind, key, { name: key.name, version: "v1.0.0", components });
    const idle = writes.filter((write) => !/latecomer|events|accessreviews/.test(write));
    assert.ok(idle.length <= 1, idle.join("\n"));
  });

  it("installs a components file of 3 MB beside them, and remembers it", async () => {
    const more = Array.from({ length: 12 }, (_, index) => longCrd(index)).join("---\n");
    assert.ok(more.length > 3_000_000);
    await using _ = await RunningOperator.start(account);
    const key = { namespace: "heavy-system", name: "heavy" };
    const components = smallProvider({ name: key.name, more });
    await admin.install(kind, key, { name: key.name, version: "v1.0.0", components });
    const crd = { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" };
    assert.ok(await admin.find(crd, { name: "feathers11.heavy.example.com" }));
  });

  it("upgrades to the same, and leaves nothing behind", async () => {
    await operate(
      (number) => admin.change(kind, keyOf(number), { version: "v1.1.0" }),
      isReady("v1.1.0"),
    );
    assert.doesNotMatch(JSON.stringify(await allAreTheSame()), /old-config/);
  });

  it("deletes everything", async () => {
    await operate(
      (number) => admin.remove(kind, keyOf(number)),
      (provider) => provider === undefined,
    );
    const whole = JSON.stringify(await allAreTheSame());
    assert.doesNotMatch(whole, /Deployment|CustomResourceDefinition|ClusterRole|"state"/);
  });
});

/**
 * A client that no longer reaches the server for a provider once that one has had its writes. Where
 * the same is written several times in a row, that counts as one: an operator that waits says so as
 * often as something changes, however long it takes.
 */
function mortalClient(client: Client): { mortal: Client; cut: ReadonlySet<number> } {
  const cut = new Set<number>();
  const writes = new Map<number, { readonly count: number; readonly last: string }>();
  const mortal = createClientOver(async (request) => {
    const number = providerIn(request);
    if (number === undefined || isBeside(request)) return client.handler(request);
    if (cut.has(number)) throw new Error("killed");
    if (request.method === "GET") return client.handler(request);
    const before = writes.get(number) ?? { count: 0, last: "" };
    const last = `${request.method} ${request.path}`;
    const count = before.count + (last === before.last ? 0 : 1);
    writes.set(number, { count, last });
    const response = await client.handler(request);
    if (count < number) return response;
    cut.add(number);
    await discardBody(response.body);
    throw new Error("killed");
  });
  return { mortal, cut };
}

/** Which provider a request is for; its number is part of all names. */
function providerIn({ path }: HttpRequest): number | undefined {
  const [, number] = /\bp(\d+)\b/.exec(path) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Events are written whenever there is time, and nobody goes by them; a dry run writes nothing. */
function isBeside({ path, query }: HttpRequest): boolean {
  return path.includes("/events.k8s.io/") || query.includes("dryRun=");
}

/** A CRD of more than 250 KB, as those of real providers are: its descriptions make it long. */
function longCrd(index: number): string {
  const plural = `feathers${index}`;
  const fields = Array.from({ length: 250 }, (_, field) => {
    const description = `${"What the field is for, in many words. ".repeat(26)}${field}`;
    return `            field${field}: {type: string, description: "${description}"}`;
  });
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.heavy.example.com}
spec:
  group: heavy.example.com
  scope: Namespaced
  names: {kind: Feather${index}, plural: ${plural}, singular: feather${index}, listKind: Feather${index}List}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
${fields.map((field) => `    ${field}`).join("\n")}
`;
}

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Provider } from "@rookery/api";
import { type Client, createClientOver } from "@rookery/client";
import { getCondition } from "@rookery/kube";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { PretendKubelet } from "./pretend-kubelet.ts";
import {
  Administrator,
  adminClient,
  type ProviderKey,
  RunningOperator,
} from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const namespace = "fifty";
const version = "v1.0.0";
const names = Array.from({ length: 50 }, (_, index) => `bird-${index}`);
const core: ProviderKey = { namespace, name: "cluster-api" };
const infrastructureProviders =
  "/apis/management.cluster.x-k8s.io/v1alpha1/infrastructureproviders";

describe("fifty providers side by side", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let administrator: Administrator;
  let kubelet: PretendKubelet;

  before(async () => {
    kubernetes = await startKubernetes({ private: true });
    client = await adminClient(kubernetes);
    administrator = new Administrator(client);
    kubelet = new PretendKubelet(client);
    await administrator.makeNamespace(namespace);
    await offer(core.name);
    await Promise.all(names.map((name) => offer(name)));
  });
  after(async () => {
    await kubelet?.[Symbol.asyncDispose]();
    await client?.destroy();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const offer = (name: string, more = "") =>
    administrator.offer(namespace, { name, version, components: smallProvider({ name, more }) });
  const declare = (name: string) =>
    administrator.create("InfrastructureProvider", { namespace, name }, { version });
  /** Waits for as long as a busy machine may need for all of them. */
  async function areReady(names: readonly string[]): Promise<void> {
    let waiting: readonly string[] = [];
    await waitFor(
      async () => {
        const { body } = await kubernetes.request("GET", infrastructureProviders);
        const ready = new Set((body.items as Provider[]).filter(isReady).map(nameOf));
        waiting = names.filter((name) => !ready.has(name));
        return waiting.length === 0;
      },
      {
        what: `${names.length} providers to be ready`,
        detail: () => `waiting for ${waiting.join(", ")}`,
        timeout: 500_000,
        interval: 200,
      },
    );
  }

  test("all of them become ready", async () => {
    await using _ = await RunningOperator.start(client);
    await Promise.all(names.map(declare));
    await administrator.create("CoreProvider", core, { version });
    await areReady(names);
    // It may be the last, and the next operator is not to have anything to do.
    await administrator.conditionIs("CoreProvider", core, ["Ready", "Ready"]);
  });

  test("an operator that looks at all of them anew writes at most once", async () => {
    const writes: string[] = [];
    const counting = createClientOver((request) => {
      if (request.method !== "GET") writes.push(`${request.method} ${request.path}`);
      return client.handler(request);
    });
    await using _ = await RunningOperator.start(counting);
    // Requests are worked on in their order: when this one is done, all that were there before are.
    const components = smallProvider({ name: "latecomer" });
    await administrator.makeNamespace("latecomer");
    await administrator.offer("latecomer", { name: "latecomer", version, components });
    const key = { namespace: "latecomer", name: "latecomer" };
    await administrator.create("InfrastructureProvider", key, { version });
    await areReady(["latecomer"]);
    const idle = writes.filter((write) => !/latecomer|events|accessreviews/.test(write));
    assert.ok(idle.length <= 1, idle.join("\n"));
  });

  test("a components file of 3 MB is installed, and remembered", async () => {
    const more = Array.from({ length: 12 }, (_, index) => longCrd(index)).join("---\n");
    assert.ok(more.length > 3_000_000);
    await using _ = await RunningOperator.start(client);
    await offer("heavy", more);
    await declare("heavy");
    await areReady(["heavy"]);
    const path =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/feathers11.heavy.example.com";
    const { status } = await kubernetes.request("GET", path);
    assert.equal(status, 200);
  });
});

function isReady({ metadata, status }: Provider): boolean {
  const ready = getCondition(status?.conditions, "Ready");
  return ready?.status === "True" && ready.observedGeneration === metadata.generation;
}

function nameOf({ metadata }: Provider): string {
  return metadata.name ?? "";
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

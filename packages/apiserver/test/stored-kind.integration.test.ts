import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { type Client, createClient, loadConfig, type WatchEvent } from "@rookery/client";
import { formatTime, type KubeObject, type Resource } from "@rookery/kube";
import { type Kubernetes, startKubernetes, type TestNamespace, waitFor } from "@rookery/testing";
import { type Extension, startExtension } from "./extension.ts";
import { greetingGroup } from "./greetings.ts";
import { MemoryStore } from "./memory-store.ts";

const group = "stored.testing.rookery.dev";
const plural = `greetings.${group}`;
const greetings: Resource = {
  group,
  version: "v1",
  kind: "Greeting",
  plural: "greetings",
  singular: "greeting",
  namespaced: true,
};

const manifest = (name: string, whom: string) => `apiVersion: ${group}/v1
kind: Greeting
metadata:
  name: ${name}
spec:
  name: ${whom}
`;

/** With what only a server says. */
function stamped(object: KubeObject): KubeObject {
  const own = { uid: randomUUID(), creationTimestamp: formatTime(new Date()) };
  return { ...object, metadata: { ...object.metadata, ...own } };
}

describe("a kind with a store of its own, used through a real Kubernetes", () => {
  let kubernetes: Kubernetes;
  let namespace: TestNamespace;
  let extension: Extension;
  let client: Client;

  before(async () => {
    kubernetes = await startKubernetes();
    namespace = await kubernetes.createNamespace("apiserver-stored");
    const { handlers } = new MemoryStore({ group, resource: "greetings" });
    const strategy = { prepareForCreate: stamped };
    const resource = { handlers, strategy, namespaced: true, supportsDryRun: true };
    extension = await startExtension({
      kubernetes,
      namespace,
      group: greetingGroup(group, resource),
    });
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    await waitFor(() => kubectl("get", plural), { what: "the kind in discovery" });
  });

  after(async () => {
    await client?.[Symbol.asyncDispose]();
    await extension?.[Symbol.asyncDispose]();
    await namespace?.[Symbol.asyncDispose]();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const kubectl = (...args: string[]) => kubernetes.kubectl(["-n", namespace.name, ...args]);
  const kubectlOf = (stdin: string, ...args: string[]) =>
    kubernetes.kubectl(["-n", namespace.name, ...args], { stdin });

  test("kubectl applies, shows, patches and deletes", async () => {
    assert.match(await kubectlOf(manifest("a", "auk"), "apply", "-f", "-"), /a created/);
    assert.match(await kubectlOf(manifest("a", "tern"), "apply", "-f", "-"), /a configured/);
    assert.match(await kubectlOf(manifest("a", "tern"), "apply", "-f", "-"), /a unchanged/);
    assert.match(await kubectl("get", plural), /^NAME +CREATED AT\na +\S+\n$/);
    const name = ["get", plural, "a", "-o", "jsonpath={.spec.name}"];
    assert.equal(await kubectl(...name), "tern");
    await kubectl("patch", plural, "a", "--type=merge", "-p", '{"spec":{"name":"gull"}}');
    assert.equal(await kubectl(...name), "gull");
    const operations = '[{"op":"replace","path":"/spec/name","value":"skua"}]';
    await kubectl("patch", plural, "a", "--type=json", "-p", operations);
    assert.equal(await kubectl(...name), "skua");
    assert.match(await kubectl("get", plural, "-o", "yaml"), /name: skua/);
    await kubectl("label", plural, "a", "bird=yes");
    assert.match(await kubectl("describe", plural, "a"), /bird=yes/);
    await kubectl("delete", plural, "a");
    assert.equal(await kubectl("get", plural, "-o", "name"), "");
  });

  test("kubectl replaces, and tries without doing", async () => {
    await kubectlOf(manifest("b", "auk"), "create", "-f", "-");
    await kubectlOf(manifest("b", "tern"), "apply", "--dry-run=server", "-f", "-");
    const name = ["get", plural, "b", "-o", "jsonpath={.spec.name}"];
    assert.equal(await kubectl(...name), "auk");
    const read = await kubectl("get", plural, "b", "-o", "yaml");
    await kubectlOf(read.replace("auk", "puffin"), "replace", "-f", "-");
    assert.equal(await kubectl(...name), "puffin");
    await kubectl("delete", plural, "--all");
  });

  test("a client watches through the aggregator", async () => {
    const resource = client.resource<KubeObject>(greetings);
    const events: WatchEvent<KubeObject>[] = [];
    const leave = new AbortController();
    const watching = resource.watch(
      { namespace: namespace.name, signal: leave.signal },
      (event) => {
        events.push(event);
      },
    );
    const ended = assert.rejects(watching);
    const object = {
      apiVersion: `${group}/v1`,
      kind: "Greeting",
      metadata: { namespace: namespace.name, name: "probe" },
      spec: { name: "auk" },
    };
    const key = { namespace: namespace.name, name: "probe" };
    // The watch may begin after an object came and went: it has no past.
    await waitFor(
      async () => {
        await resource.create(object);
        await resource.delete(key);
        return events.some(({ type }) => type === "DELETED");
      },
      { what: "an event" },
    );
    leave.abort();
    await ended;
    assert.equal(events[0]?.object.kind, "Greeting");
  });

  test("what the kind refuses is refused in its words", async () => {
    await assert.rejects(kubectl("get", plural, "nobody"), /greetings\.\S+ "nobody" not found/);
    await assert.rejects(
      kubectlOf(
        manifest("c", "auk").replace("  name: auk", "  name: auk\n  foo: 1"),
        "create",
        "-f",
        "-",
      ),
      /unknown field "spec\.foo"/,
    );
    await assert.rejects(
      kubectl("get", plural, "--field-selector=spec.name=x"),
      /"spec\.name" is not a known field selector/,
    );
  });

  test("nothing of it was an error of the server", () => {
    assert.deepEqual(extension.errors, []);
  });
});

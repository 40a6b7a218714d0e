import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import type { AdmissionAttributes } from "@rookery/apiserver";
import type { KubeObject } from "@rookery/kube";
import {
  labelRows,
  labelsOf,
  podRows,
  securedNamespaces,
  templateRows,
} from "../../test/pod-security-rows.ts";
import { storeOf } from "../../test/rbac/rbac.ts";
import type { Store } from "../store/store.ts";
import { createPodSecurity } from "./pod-security.ts";

const answersFile = new URL("../../test/testdata/pod-security-verdicts.json", import.meta.url);
const known = JSON.parse(readFileSync(answersFile, "utf8"));

function namespaceOf(name: string, modes: Readonly<Record<string, string>>): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: labelsOf(modes) } };
}

async function judge(object: KubeObject, store: Store, oldObject?: KubeObject): Promise<object> {
  const warnings: string[] = [];
  const { apiVersion, kind, metadata } = object;
  const [group = "", version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  const attributes = {
    operation: oldObject ? "UPDATE" : "CREATE",
    kind: { group, version, kind },
    resource: { group, version, resource: `${kind.toLowerCase()}s` },
    subresource: "",
    name: metadata.name,
    namespace: metadata.namespace ?? metadata.name,
    object,
    oldObject,
    warn: (text: string) => warnings.push(text),
  } as unknown as AdmissionAttributes;
  const told = () => (warnings.length > 0 ? { warnings } : {});
  try {
    await createPodSecurity(store).validate?.(attributes);
    return told();
  } catch (error) {
    return { refused: (error as Error).message, ...told() };
  }
}

describe("pods are judged as a real kube-apiserver judged them", () => {
  let store: Store;
  before(async () => {
    const namespaces = Object.entries(securedNamespaces);
    store = await storeOf(...namespaces.map(([name, modes]) => namespaceOf(name, modes)));
  });

  for (const [name, object] of [...podRows, ...templateRows]) {
    test(name, async () => assert.deepEqual(await judge(object, store), known[name]));
  }
  for (const [name, modes] of Object.entries(labelRows)) {
    test(`a namespace with ${name}`, async () => {
      assert.deepEqual(await judge(namespaceOf("secured-badly", modes), store), known[name]);
    });
  }

  test("a pod that is there may change, but for its images", async () => {
    const pod = podRows.get("nothing said in secured-restricted");
    assert.ok(pod);
    const labelled = { ...pod, metadata: { ...pod.metadata, labels: { a: "b" } } };
    assert.deepEqual(await judge(labelled, store, pod), {});
    const spec = { containers: [{ name: "main", image: "other" }] };
    assert.match(JSON.stringify(await judge({ ...pod, spec }, store, pod)), /violates PodSecurity/);
  });

  test("who makes a namespace stricter is told of the pods in it", async () => {
    const pod = (name: string) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: "ns" },
      spec: { hostNetwork: true, containers: [{ name: "main", image: "i" }] },
    });
    const old = namespaceOf("ns", {});
    await using own = await storeOf(old, pod("b"), pod("a"), pod("c"));
    assert.deepEqual(await judge(namespaceOf("ns", { enforce: "baseline" }), own, old), {
      warnings: [
        'existing pods in namespace "ns" violate the new PodSecurity enforce level "baseline:latest"',
        "a (and 2 other pods): host namespaces",
      ],
    });
    assert.deepEqual(await judge(old, own, namespaceOf("ns", { enforce: "baseline" })), {});
  });
});

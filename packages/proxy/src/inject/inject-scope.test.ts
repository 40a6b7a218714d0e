import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { NamespaceScope } from "@rookery/runtime";
import { parse } from "yaml";
import { appManifests, inject, type Loose, options, pod } from "../../test/inject/inject.ts";
import { parseProxyFlags } from "../flags/proxy-flags.ts";
import { injectProxy } from "./inject-proxy.ts";
import type { Manifest } from "./manifest.ts";

const scope: NamespaceScope = { type: "namespaces", namespaces: ["a", "b"] };
const excluded: NamespaceScope = { type: "excluded", namespaces: ["c"] };
const image = "rookery:test";

const sidecarOf = (document: unknown): Loose =>
  (document as Loose).spec.template.spec.initContainers[0];

describe("an app whose scope is narrowed, without other groups", () => {
  const given = appManifests();
  const { documents, warnings } = injectProxy(given, { scope, image });
  const changed = documents.filter((document, index) => document !== given[index]) as Manifest[];

  it("differs in its pods alone: the instances share the rest, or who renders divides it", () => {
    assert.deepEqual(
      changed.map(({ kind }) => kind),
      ["Deployment"],
    );
    assert.deepEqual(
      changed[0]?.metadata,
      given.find(({ kind }) => kind === "Deployment")?.metadata,
    );
    assert.deepEqual(warnings, []);
  });

  it("has the proxy beside it, which is told the scope in flags that it takes", () => {
    const { args } = sidecarOf(changed[0]);
    assert.deepEqual(args.slice(0, 3), ["proxy", "--namespace=a", "--namespace=b"]);
    const flags = parseProxyFlags(args.slice(1));
    assert.deepEqual(!flags.help && flags.scope, scope);
  });

  it("is called by the API server as before: no listener of the proxy is in between", () => {
    const text = JSON.stringify(sidecarOf(changed[0]));
    assert.doesNotMatch(text, /callback/);
  });

  it("finds the proxy where it looks for the API server", () => {
    const [container] = (changed[0] as Loose).spec.template.spec.containers;
    const env = Object.fromEntries(container.env.map(({ name, value }: Loose) => [name, value]));
    assert.equal(env.KUBERNETES_SERVICE_HOST, "127.0.0.1");
    assert.equal(env.KUBERNETES_SERVICE_PORT, "6443");
  });

  it("moves where it is told to", () => {
    const moved = injectProxy(given, { scope, image, namespace: "capi2-system" });
    const namespaces = moved.documents.flatMap(
      (document) => (document as Manifest).metadata.namespace ?? [],
    );
    assert.deepEqual([...new Set(namespaces)], ["capi2-system"]);
  });
});

describe("an app whose scope is narrowed, with a name", () => {
  const named = { scope, image, instance: "one", namespace: "one-system" };
  const { documents, warnings } = injectProxy(appManifests(), named);
  const find = (kind: string) =>
    documents.find((document) => (document as Manifest).kind === kind) as Loose;

  it("has all that is cluster-scoped for itself, but for what defines kinds", () => {
    assert.equal(find("CustomResourceDefinition").metadata.name, "flocks.aviary.example.com");
    const { metadata, roleRef, subjects } = find("ClusterRoleBinding");
    assert.deepEqual([metadata.name, roleRef.name], ["aviary-one", "aviary-one"]);
    assert.equal(subjects[0].namespace, "one-system");
  });

  it("is asked by webhooks for its own namespaces alone", () => {
    const { metadata, webhooks } = find("ValidatingWebhookConfiguration");
    assert.match(metadata.name, /-one$/);
    assert.deepEqual(webhooks[0].namespaceSelector.matchExpressions, [
      { key: "kubernetes.io/metadata.name", operator: "In", values: ["a", "b"] },
    ]);
    assert.equal(webhooks[0].clientConfig.service.namespace, "one-system");
  });

  it("is told what all instances share and only one can serve", () => {
    const about = warnings.filter((warning) => /leads to this one/.test(warning));
    assert.match(about.join(), /CustomResourceDefinition flocks.aviary.example.com: all instances/);
  });
});

describe("a scope", () => {
  it("of exclusions is told as such", () => {
    const [document] = injectProxy([parse(pod())], { scope: excluded, image }).documents;
    assert.equal(sidecarOf(document).args[1], "--excluded-namespace=c");
  });

  it("goes together with other groups", () => {
    const [document] = inject([pod()], { scope }).documents;
    const { args } = sidecarOf(document);
    assert.ok(args.some((arg: string) => arg.startsWith("--map=")));
    assert.ok(args.includes("--namespace=a"));
  });

  it("is nothing to put a proxy in for where it has all namespaces", () => {
    assert.throws(
      () => injectProxy([], { scope: { type: "all" }, image }),
      /no API group is mapped/,
    );
    const none: NamespaceScope = { type: "namespaces", namespaces: [] };
    assert.throws(() => injectProxy([], { scope: none, image }), /names no namespace/);
    const { instance: _, ...nameless } = options;
    assert.throws(() => injectProxy([], nameless), /it has no name/);
  });
});

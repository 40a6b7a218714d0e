import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createGroupMapping } from "@rookery/group-suffix";
import {
  appManifests,
  inject,
  injectOne,
  type Loose,
  mapping,
  options,
  pod,
  real,
  virtual,
} from "../../test/inject/inject.ts";
import { injectProxy } from "./inject-proxy.ts";
import { describe as describeManifest, type Manifest } from "./manifest.ts";

const second = {
  ...options,
  instance: "team2",
  namespace: "team2",
  mapping: createGroupMapping([{ virtual, real: "aviary.team2.example.com", match: "group" }]),
};

describe("a whole app", () => {
  const rendered = injectProxy(appManifests(), options);
  const find = (kind: string): Loose =>
    rendered.documents.find((document) => (document as Manifest).kind === kind);

  it("has its API group renamed in CRDs, rights and webhooks", () => {
    assert.equal(find("CustomResourceDefinition").metadata.name, `flocks.${real}`);
    assert.equal(find("CustomResourceDefinition").spec.group, real);
    assert.deepEqual(find("ClusterRole").rules[0].apiGroups, [real]);
    for (const kind of ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]) {
      assert.deepEqual(find(kind).webhooks[0].rules[0].apiGroups, [real]);
      // The app's own paths, which hold its group in another form, stay.
      assert.match(
        find(kind).webhooks[0].clientConfig.service.path,
        /aviary-example-com-v1-flock$/,
      );
    }
  });

  it("has no object in common with another instance, and each has its label", () => {
    const other = injectProxy(appManifests(), second);
    const keys = (documents: readonly unknown[]) =>
      documents.map((document) => describeManifest(document as Manifest));
    const own = new Set(keys(rendered.documents));
    assert.deepEqual(
      keys(other.documents).filter((key) => own.has(key)),
      [],
    );
    for (const document of rendered.documents as Manifest[]) {
      assert.equal(document.metadata.labels?.["proxy.rookery.dev/instance"], "team1");
    }
  });

  it("is rendered the same way each time, and without a change of what was given", () => {
    const given = appManifests();
    const before = structuredClone(given);
    assert.deepEqual(injectProxy(given, options), rendered);
    assert.deepEqual(given, before);
  });

  it("gives no warning where all can be known", () => {
    assert.deepEqual(rendered.warnings, []);
  });

  it("is refused where it is an instance already", () => {
    assert.throws(() => injectProxy(rendered.documents, options), {
      code: "AlreadyInjected",
      message:
        "could not render Namespace team1: it is of instance team1 already; render the app's own manifests, not an instance's",
    });
    assert.throws(() => injectProxy(rendered.documents, second), { code: "AlreadyInjected" });
  });
});

describe("a document", () => {
  it("that is a custom resource of the app is renamed, with its declared fields", () => {
    const flock = `{apiVersion: ${virtual}/v1, kind: Flock, metadata: {name: a}, spec: {of: ${virtual}, other: ${virtual}}}`;
    const rule = { group: virtual, kind: "Flock", path: "spec.of", form: "group" } as const;
    const rendered: Loose = injectOne([flock], { rules: [rule] });
    assert.equal(rendered.apiVersion, `${real}/v1`);
    assert.deepEqual(rendered.spec, { of: real, other: virtual });
  });

  it("that is a cluster-scoped custom resource gets no namespace", () => {
    const crd = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: skies.${virtual}}, spec: {group: ${virtual}, scope: Cluster, names: {kind: Sky}}}`;
    const sky = `{apiVersion: ${virtual}/v1, kind: Sky, metadata: {name: a}}`;
    assert.deepEqual(injectOne([sky, crd]).metadata, {
      name: "a",
      labels: { "proxy.rookery.dev/instance": "team1" },
    });
  });

  it("that is an APIService is renamed with its name", () => {
    const service = `{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.${virtual}}, spec: {group: ${virtual}, version: v1, service: {name: a, namespace: b}}}`;
    const rendered: Loose = injectOne([service]);
    assert.equal(rendered.metadata.name, `v1.${real}`);
    assert.equal(rendered.spec.group, real);
  });

  it("that is a ClusterRole made of others takes in those of its instance alone", () => {
    const selectors = "[{matchLabels: {aggregate: 'true'}}, {matchExpressions: []}]";
    const role = `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: a}, aggregationRule: {clusterRoleSelectors: ${selectors}}}`;
    const own = { "proxy.rookery.dev/instance": "team1" };
    const rendered: Loose = injectOne([role]);
    assert.deepEqual(rendered.aggregationRule.clusterRoleSelectors, [
      { matchLabels: { aggregate: "true", ...own } },
      { matchExpressions: [], matchLabels: own },
    ]);
  });

  it("that is no object of Kubernetes passes as it is", () => {
    const documents = [null, "text", { some: "values" }, [1]];
    const rendered = injectProxy(documents, options).documents;
    for (const [index, document] of documents.entries()) assert.equal(rendered[index], document);
  });

  it("that needs no change passes as it is", () => {
    const role = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "b" } };
    const { documents } = injectProxy([role], { ...options, namespace: "b" });
    assert.equal(documents[0], role);
  });

  it("that is a List has its items rendered", () => {
    const list: Loose = injectOne([
      `{apiVersion: v1, kind: List, items: [${JSON.stringify({
        apiVersion: "scheduling.k8s.io/v1",
        kind: "PriorityClass",
        metadata: { name: "app" },
      })}]}`,
    ]);
    assert.equal(list.items[0].metadata.name, "app-team1");
  });
});

describe("what cannot be rendered", () => {
  const conversion = `conversion: {webhook: {clientConfig: {}}}`;
  const refused: Record<string, { texts: readonly string[]; message: RegExp }> = {
    "a list of one kind": {
      texts: [`{apiVersion: v1, kind: ConfigMapList, metadata: {}, items: []}`],
      message: /^could not render ConfigMapList : a list of one kind is not rendered/,
    },
    "an API of no mapped group": {
      texts: [
        `{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.x.io}, spec: {group: x.io, service: {name: a}}}`,
      ],
      message:
        /^could not render APIService v1.x.io: no mapping has its group x.io, and only one instance can serve it/,
    },
    "a conversion of no mapped group": {
      texts: [
        `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a.x.io}, spec: {group: x.io, ${conversion}}}`,
      ],
      message: /^could not render CustomResourceDefinition a.x.io: no mapping has its group x.io/,
    },
    "what names the real group": {
      texts: [`{apiVersion: ${real}/v1, kind: Flock, metadata: {name: a}}`],
      message:
        /^could not render Flock a: it names the real group aviary.team1.example.com already/,
    },
    "pods that have a proxy": {
      texts: [pod("initContainers: [{name: rookery-proxy, image: x}]")],
      message:
        /^could not render Deployment app-system\/app: it has a container rookery-proxy already/,
    },
  };
  for (const [sentence, { texts, message }] of Object.entries(refused)) {
    it(`is ${sentence}`, () => assert.throws(() => inject(texts), { message }));
  }

  it("is an instance without a proper name, a proper namespace and a mapping, all told at once", () => {
    const bad = { instance: "Team_1", namespace: "a.b", mapping: createGroupMapping([]) };
    assert.throws(() => inject([], bad), {
      code: "InvalidInstance",
      message:
        /^could not render the instance: name "Team_1": .*; namespace "a.b": .*must not contain dots; no API group is mapped; say which with --map$/,
    });
    assert.equal(mapping.pairs.length, 1);
  });
});

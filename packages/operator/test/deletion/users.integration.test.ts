import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Client, createClient, loadConfig } from "@rookery/client";
import type { ComponentKey } from "@rookery/components";
import type { KubeObject } from "@rookery/kube";
import {
  type CustomResourceDefinition,
  clusterApiCrds,
  clusterApiSource,
  type Kubernetes,
  startKubernetes,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { findUsers } from "../../src/deletion/users.ts";
import { customResourceDefinitions as definitions } from "../../src/resources.ts";
import { installed, view, withSpec } from "../preflight/provider-views.ts";

const skip = await whyUnavailable(clusterApiSource);
const coreGroup = "cluster.x-k8s.io";
const core = view("CoreProvider", "cluster-api", installed("v1.13.6"));
const bootstrap = view("BootstrapProvider", "kubeadm", installed("v1.13.6"));
const nests = view("InfrastructureProvider", "nests", installed("v1.0.0"));
const none = { count: 0, first: [] };

const crdKey = (name: string): ComponentKey => ({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  name,
});
const coreCrds = [crdKey(`clusters.${coreGroup}`), crdKey(`machines.${coreGroup}`)];
const bootstrapCrds = [crdKey(`kubeadmconfigs.bootstrap.${coreGroup}`)];
const nestCrds = [crdKey(`nestclusters.infrastructure.${coreGroup}`)];

const nestClusters: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `nestclusters.infrastructure.${coreGroup}` },
  spec: {
    group: `infrastructure.${coreGroup}`,
    scope: "Namespaced",
    names: { kind: "NestCluster", plural: "nestclusters" },
    versions: [
      { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
    ],
  },
};

/** A CRD of Cluster API as a release has it that knows one version alone. */
function inVersion(crd: CustomResourceDefinition, version: string): CustomResourceDefinition {
  const versions = crd.spec.versions as readonly { name: string }[];
  const one = versions
    .filter(({ name }) => name === version)
    .map((found) => ({ ...found, served: true, storage: true }));
  return { ...crd, spec: { ...crd.spec, versions: one } };
}

/** References as a contract has them. */
const references = {
  v1beta1: (group: string, kind: string) => ({
    apiVersion: `${group}/v1`,
    kind,
    name: "x",
    namespace: "team",
  }),
  v1beta2: (group: string, kind: string) => ({ apiGroup: group, kind, name: "x" }),
};

describe("who uses a provider", { skip }, () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let crds: readonly CustomResourceDefinition[];

  before(async () => {
    kubernetes = await startKubernetes({ private: true });
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    const wanted = ["clusters", "machines", "kubeadmconfigs"].map((plural) => `${plural}.`);
    crds = (await clusterApiCrds()).filter(({ metadata }) =>
      wanted.some((prefix) => metadata.name.startsWith(prefix)),
    );
    await kubernetes.request("POST", "/api/v1/namespaces", {
      body: { metadata: { name: "team" } },
    });
    await kubernetes.applyCrd(nestClusters);
  });
  after(async () => {
    await client.destroy();
    await kubernetes[Symbol.asyncDispose]();
  });

  /** What was just served is not known to a client that has asked within a second. */
  const serve = async (crd: CustomResourceDefinition) => {
    await kubernetes.applyCrd(crd);
    client.mapper.reset();
  };
  const make = async (apiVersion: string, kind: string, object: Partial<KubeObject>) => {
    const resource = await client.kind<KubeObject>({ apiVersion, kind });
    const { metadata, ...rest } = object;
    return resource.create({
      apiVersion,
      kind,
      metadata: { namespace: "team", ...metadata },
      ...rest,
    });
  };
  const usersOf = (
    self: typeof core,
    own: readonly ComponentKey[],
    others = [core, bootstrap, nests],
    services: readonly ComponentKey[] = [],
  ) => {
    const rest = others.filter((other) => other !== self);
    return findUsers(self, { others: rest, crds: own, services, client });
  };

  it("is nobody where Cluster API itself is not there", async () => {
    assert.deepEqual(await usersOf(nests, nestCrds), none);
    assert.deepEqual(await usersOf(core, coreCrds, [core]), none);
  });

  for (const version of ["v1beta1", "v1beta2"] as const) {
    const reference = references[version];
    describe(`by objects of ${version}`, () => {
      before(async () => {
        for (const crd of crds) await serve(inVersion(crd, version));
      });
      after(async () => {
        for (const { metadata } of crds) await client.resource(definitions).delete(metadata);
        const isGone = async () => (await client.resource(definitions).list()).items.length === 1;
        await waitFor(isGone, { what: "the CRDs to be gone" });
      });

      it("is a Cluster that refers to its kinds", async () => {
        assert.deepEqual(await usersOf(nests, nestCrds), none);
        const infrastructureRef = reference(`infrastructure.${coreGroup}`, "NestCluster");
        const spec = { infrastructureRef };
        await make(`${coreGroup}/${version}`, "Cluster", { metadata: { name: "prod" }, spec });
        assert.deepEqual(await usersOf(nests, nestCrds), {
          count: 1,
          first: ["Cluster team/prod"],
        });
        assert.deepEqual(await usersOf(bootstrap, bootstrapCrds), none);
      });

      it("is the Cluster of a Machine that starts with its kind", async () => {
        const spec = {
          clusterName: "test",
          bootstrap: { configRef: reference(`bootstrap.${coreGroup}`, "KubeadmConfig") },
          infrastructureRef: reference("other.example.com", "Other"),
        };
        await make(`${coreGroup}/${version}`, "Machine", { metadata: { name: "one" }, spec });
        const users = await usersOf(bootstrap, bootstrapCrds);
        assert.deepEqual(users, { count: 1, first: ["Cluster team/test"] });
      });

      it("is the Cluster that an object of its kind is labelled for, counted once", async () => {
        for (const [name, cluster] of [
          ["a", "lost"],
          ["b", "lost"],
          ["c", "test"],
        ]) {
          const labels = { [`${coreGroup}/cluster-name`]: cluster ?? "" };
          const metadata = { name: name ?? "", labels };
          await make(`bootstrap.${coreGroup}/${version}`, "KubeadmConfig", { metadata });
        }
        const { count, first } = await usersOf(bootstrap, bootstrapCrds);
        assert.equal(count, 2);
        assert.deepEqual([...first].sort(), ["Cluster team/lost", "Cluster team/test"]);
      });

      it("is of a core every provider and every Cluster, the first few by name", async () => {
        const infrastructureRef = reference("other.example.com", "Other");
        const names = ["a", "b", "c", "d"];
        for (const name of names) {
          await make(`${coreGroup}/${version}`, "Cluster", {
            metadata: { name },
            spec: { infrastructureRef },
          });
        }
        const { count, first } = await usersOf(core, coreCrds);
        assert.equal(count, 7);
        assert.deepEqual(first.slice(0, 2), [
          "BootstrapProvider kubeadm-system/kubeadm",
          "InfrastructureProvider nests-system/nests",
        ]);
        assert.equal(first.length, 5);
        const suffixed = view(
          "CoreProvider",
          "cluster-api",
          withSpec({ apiGroupSuffix: "b.example" }),
        );
        assert.deepEqual(await usersOf(suffixed, [], [core, bootstrap, suffixed]), none);
      });
    });
  }

  it("is an ExtensionConfig by which the core calls one of its Services", async () => {
    const name = `extensionconfigs.runtime.${coreGroup}`;
    const crd = (await clusterApiCrds()).find(({ metadata }) => metadata.name === name);
    assert.ok(crd, `${name} is one of Cluster API's`);
    await serve(inVersion(crd, "v1beta2"));
    const extension = view("RuntimeExtensionProvider", "hooks", installed("v1.0.0"));
    const service = (at: string): ComponentKey => ({
      group: "",
      version: "v1",
      kind: "Service",
      name: at,
      namespace: "hooks-system",
    });
    const clientConfig = { service: { name: "hooks", namespace: "hooks-system" } };
    const apiVersion = `runtime.${coreGroup}/v1beta2`;
    const configs = await client.kind<KubeObject>({ apiVersion, kind: "ExtensionConfig" });
    const metadata = { name: "before-create" };
    await configs.create({ apiVersion, kind: "ExtensionConfig", metadata, spec: { clientConfig } });
    const users = (at: string) => usersOf(extension, [], [core], [service(at)]);
    assert.deepEqual(await users("other"), none);
    const first = ["ExtensionConfig before-create"];
    assert.deepEqual(await users("hooks"), { count: 1, first });
  });

  it("is not known to someone who may not look, and then nothing is deleted", async () => {
    const { kubeconfig } = await kubernetes.user({ name: "nobody" });
    await using stranger = createClient(await loadConfig({ path: kubeconfig }));
    const asked = findUsers(nests, {
      others: [core],
      crds: nestCrds,
      services: [],
      client: stranger,
    });
    await assert.rejects(asked, {
      condition: "Deleting",
      reason: "UsersUnknown",
      message: /could not find out who uses InfrastructureProvider nests-system\/nests: .*nobody/,
    });
  });
});

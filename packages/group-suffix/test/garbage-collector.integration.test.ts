import { after, before, describe, test } from "node:test";
import type { Client, ResourceClient } from "@rookery/client";
import { isNotFound, ownerReferenceTo } from "@rookery/kube";
import { type Kubernetes, startKubernetes, type TestNamespace, waitFor } from "@rookery/testing";
import {
  type Clients,
  configMaps,
  connect,
  customResourceDefinitions,
  type Nest,
  nest,
  nestsCrd,
  nestsOf,
} from "./nests.ts";

const virtual = "collector.rename.example.com";
const real = "collector.team1.example.org";
/** The collector looks for new kinds every 30 s. */
const timeout = 180_000;

describe("the garbage collector beside two instances of one app", () => {
  let kubernetes: Kubernetes;
  let clients: Clients;
  let namespace: TestNamespace;
  const keyOf = (name: string) => ({ namespace: namespace.name, name });
  const nestsThrough = (client: Client) => client.resource<Nest>(nestsOf(virtual));

  /** A nest with a ConfigMap and a nest that depend on it: the same words in both instances. */
  const createFamily = async (client: Client, name: string) => {
    const nests = nestsThrough(client);
    const owner = await nests.create(nest(virtual, keyOf(name)));
    const ownerReferences = [ownerReferenceTo(owner)];
    const map = { apiVersion: "v1", kind: "ConfigMap" };
    await client
      .resource(configMaps)
      .create({ ...map, metadata: { ...keyOf(name), ownerReferences } });
    await nests.create(nest(virtual, { ...keyOf(`${name}-child`), ownerReferences }));
  };

  before(async () => {
    kubernetes = await startKubernetes();
    clients = await connect(kubernetes, { virtual, real });
    namespace = await kubernetes.createNamespace("group-suffix-gc");
    await kubernetes.applyCrd(nestsCrd(virtual));
    await clients.renamed.resource(customResourceDefinitions).create(nestsCrd(virtual));
    const served = () =>
      nestsThrough(clients.renamed)
        .list({ namespace: namespace.name })
        .then(() => true);
    await waitFor(served, { what: "the renamed nests to be served" });
  });
  after(async () => {
    for (const suffix of [virtual, real]) {
      const { name } = nestsCrd(suffix).metadata;
      const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
      await kubernetes.request("DELETE", path);
    }
    await namespace[Symbol.asyncDispose]();
    await clients[Symbol.asyncDispose]();
    await kubernetes[Symbol.asyncDispose]();
  });

  for (const [deleting, keeping] of [
    ["renamed", "plain"],
    ["plain", "renamed"],
  ] as const) {
    test(`takes what belongs to a deleted owner of the ${deleting} instance, and nothing else`, async () => {
      const name = `of-${deleting}`;
      // First, so that what is wrong with it would show first.
      await createFamily(clients[keeping], `${name}-stays`);
      await createFamily(clients[deleting], name);
      await nestsThrough(clients[deleting]).delete(keyOf(name), {
        propagationPolicy: "Background",
      });
      await waitFor(() => isGone(nestsThrough(clients[deleting]), `${name}-child`), {
        what: "the dependent nest to be deleted",
        timeout,
      });
      await waitFor(() => isGone(clients.plain.resource(configMaps), name), {
        what: "the dependent ConfigMap to be deleted",
        timeout,
      });
      await clients.plain.resource(configMaps).get(keyOf(`${name}-stays`));
      await nestsThrough(clients[keeping]).get(keyOf(`${name}-stays-child`));
      await nestsThrough(clients[keeping]).get(keyOf(`${name}-stays`));
    });
  }

  const isGone = (resource: ResourceClient, name: string) =>
    resource.get(keyOf(name)).then(() => false, isNotFound);
});

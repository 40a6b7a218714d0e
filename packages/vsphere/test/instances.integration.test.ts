import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { VSphereClusterIdentity } from "@rookery/api";
import type { Client } from "@rookery/client";
import { isConflict, isNotFound, type KubeObject } from "@rookery/kube";
import { type Logger, silentLogger } from "@rookery/runtime";
import { clusterApiSource, type Kubernetes, waitFor, whyUnavailable } from "@rookery/testing";
import {
  adminClient,
  identities,
  namespaces,
  People,
  RunningProvider,
  secrets,
  startKubernetesWithKinds,
} from "./running-provider.ts";

const skip = await whyUnavailable(clusterApiSource);
const shared = "capv-system";
const own = "tenant-capv-system";
const account = { username: "a", password: "b" };

describe("identities of two instances, each with its own Secrets", { skip }, () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let people: People;
  let instances: readonly RunningProvider[];
  const errors: string[] = [];
  /** Keeps what the instances log as errors, but for writes that two controllers made at once. */
  const logger: Logger = {
    ...silentLogger,
    error: (error, message, values) => {
      if (!isConflict(error)) errors.push(`${message}: ${error} ${JSON.stringify(values)}`);
    },
    withName: () => logger,
    withValues: () => logger,
  };

  before(async () => {
    kubernetes = await startKubernetesWithKinds();
    client = await adminClient(kubernetes);
    people = new People(client);
    for (const name of [shared, own, "tenant", "neighbour"]) await people.makeNamespace(name);
    instances = [
      await RunningProvider.start(kubernetes, {
        credentialsNamespace: shared,
        logger,
        scope: { type: "excluded", namespaces: ["tenant"] },
      }),
      await RunningProvider.start(kubernetes, {
        credentialsNamespace: own,
        logger,
        formerCredentialsNamespace: shared,
        scope: { type: "namespaces", namespaces: ["tenant"] },
      }),
    ];
  });
  after(async () => {
    for (const instance of instances ?? []) await instance[Symbol.asyncDispose]();
    await client?.destroy();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const get = (name: string) => client.resource<VSphereClusterIdentity>(identities).get({ name });
  const verdicts = async (name: string) => {
    const { status } = await get(name);
    const entries = Object.entries(status?.instances ?? {});
    return Object.fromEntries(entries.map(([namespace, { ready }]) => [namespace, ready]));
  };
  async function says(name: string, expected: object): Promise<void> {
    let last: unknown;
    await waitFor(
      async () => {
        last = await verdicts(name);
        return JSON.stringify(last) === JSON.stringify(expected);
      },
      {
        what: `the instances to say ${JSON.stringify(expected)}`,
        detail: () => JSON.stringify(last),
      },
    );
  }
  /** Nobody writes against anybody. */
  async function isAtRest(name: string): Promise<void> {
    const { resourceVersion } = (await get(name)).metadata;
    await delay(1_000);
    assert.equal((await get(name)).metadata.resourceVersion, resourceVersion);
  }
  const ownersOf = async (namespace: string) => {
    const { metadata } = await client
      .resource<KubeObject>(secrets)
      .get({ namespace, name: "account" });
    return (metadata.ownerReferences ?? []).map(({ name }) => name);
  };

  it("no instance logs an error, whatever becomes of namespaces that are not its own", async () => {
    for (const name of ["tenant", "neighbour", "foreign"]) {
      if (name === "foreign") await people.makeNamespace(name);
      const patch = { metadata: { labels: { seen: "true" } } };
      await client.resource(namespaces).patch({ name }, { type: "merge", patch });
      await people.makeSecret(name, "account", account);
      const spec = {
        server: "vc.example",
        identityRef: { kind: "Secret", name: "account" },
      } as const;
      await people.makeCluster(name, "a", spec);
      await people.makeMachine(name, "one", {});
      await people.clusterIs(name, "a", "TrustMissing");
      await people.machineIs(name, "one", "TrustMissing");
    }
    assert.deepEqual(errors, []);
  });

  it("one that is not for its namespaces is nothing that an instance has a say in", async () => {
    await people.makeSecret(shared, "neighbour", account);
    await people.makeIdentity("neighbour", {
      secretName: "neighbour",
      allowedNamespaces: { list: ["neighbour"] },
    });
    await says("neighbour", { [shared]: true });
    await isAtRest("neighbour");
  });

  it("until its Secret is in its own namespace, an instance reads the former one", async () => {
    await people.makeSecret(shared, "account", account);
    await people.makeIdentity("both", { secretName: "account", allowedNamespaces: {} });
    await says("both", { [shared]: true, [own]: true });
    assert.equal((await get("both")).status?.ready, true);
    await isAtRest("both");
  });

  it("its own Secret counts from then on, for itself alone", async () => {
    await people.makeSecret(own, "account", { username: "a", password: "" });
    await says("both", { [shared]: true, [own]: false });
    const { status } = await get("both");
    assert.match(status?.instances?.[own]?.message ?? "", /tenant-capv-system\/account must have/);
    assert.equal(status?.ready, true);
    await isAtRest("both");
    await people.makeSecret(own, "account", account);
    await says("both", { [shared]: true, [own]: true });
    assert.deepEqual(await ownersOf(own), ["both"]);
  });

  it("the labels of a namespace decide which instance has a say", async () => {
    const selector = { matchLabels: { tier: "dev" } };
    await people.makeSecret(shared, "labelled", account);
    await people.makeIdentity("labelled", {
      secretName: "labelled",
      allowedNamespaces: { selector },
    });
    await says("labelled", { [shared]: true });
    const label = (tier: string | null) =>
      client
        .resource(namespaces)
        .patch({ name: "tenant" }, { type: "merge", patch: { metadata: { labels: { tier } } } });
    await label("dev");
    await says("labelled", { [shared]: true, [own]: true });
    await label(null);
    await says("labelled", { [shared]: true });
    await isAtRest("labelled");
  });

  it("each lets go of its Secret before an identity goes", async () => {
    for (const name of ["both", "labelled"]) await client.resource(identities).delete({ name });
    await waitFor(() => get("both").then(() => false, isNotFound), { what: "the identity to go" });
    await waitFor(() => get("labelled").then(() => false, isNotFound), { what: "the other to go" });
    for (const namespace of [shared, own]) assert.deepEqual(await ownersOf(namespace), []);
  });
});

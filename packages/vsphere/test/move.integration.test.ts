import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { VSphereClusterIdentity } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import { clusterApiSource, clusterctlProgram, waitFor, whyUnavailable } from "@rookery/testing";
import { listObjects } from "../src/vim/inventory.ts";
import { textOf } from "../src/vim/xml-reader.ts";
import { systemNamespace } from "./installation.ts";
import { Management } from "./management.ts";
import { type Mover, moveByClusterctl, moveByRookery } from "./movers.ts";
import { clusters, identities, machines } from "./provider-resources.ts";
import { gone, secrets } from "./running-provider.ts";
import { observe, type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";
import { listSessions } from "./vim-calls.ts";

const skip = (await simulatorUnavailable()) || (await whyUnavailable(clusterApiSource));

/** Who moves; what belongs to each has its name in it. */
const movers: Readonly<Record<string, { readonly move: Mover; readonly skip: string | false }>> = {
  clusterctl: { move: moveByClusterctl, skip: await whyUnavailable(clusterctlProgram) },
  rookery: { move: moveByRookery, skip: false },
};

describe("clusters that are moved", { skip }, () => {
  const stack = new AsyncDisposableStack();
  let simulator: Simulator;
  let source: Management;
  let target: Management;

  before(async () => {
    const names = Object.keys(movers).flatMap((mover) => [`team-${mover}`, `shared-${mover}`]);
    const accounts = Object.fromEntries(["observer", ...names].map((name) => [name, name]));
    simulator = stack.use(await startSimulator({ accounts }));
    [source, target] = await Promise.all([
      Management.start(simulator).then((management) => stack.use(management)),
      Management.start(simulator).then((management) => stack.use(management)),
    ]);
  });
  after(() => stack.disposeAsync());

  const secret = ({ client }: Management, where: string, name: string) =>
    client.resource<KubeObject>(secrets).get({ namespace: where, name });

  for (const [mover, { move, skip }] of Object.entries(movers)) {
    describe(`by ${mover}`, { skip }, () => {
      const namespace = `team-${mover}`;
      /** The account, its Secret and the identity. */
      const shared = `shared-${mover}`;
      const identityRef = { kind: "VSphereClusterIdentity", name: shared } as const;
      /** Another tenant's. */
      const others = `others-${mover}`;
      const [bySecret, byIdentity] = [`${mover}-by-secret`, `${mover}-by-identity`];
      const moved = [bySecret, byIdentity];
      const addressOf = (cluster: string) => `10.0.0.${1 + moved.indexOf(cluster)}`;
      /** The virtual machines before the move. */
      let made: readonly string[];

      const identity = ({ client }: Management) =>
        client.resource<VSphereClusterIdentity>(identities).get({ name: shared });

      before(async () => {
        const { people } = source;
        await people.makeNamespace(namespace);
        const { server } = simulator;
        await people.makeSecret(namespace, "account", { username: namespace, password: namespace });
        const mine = { kind: "Secret", name: "account" } as const;
        await people.makeCluster(namespace, bySecret, { server, identityRef: mine });
        await people.makeSecret(systemNamespace, shared, { username: shared, password: shared });
        await people.makeIdentity(shared, {
          secretName: shared,
          allowedNamespaces: { list: [namespace] },
          allowedServers: [server],
        });
        await people.makeCluster(namespace, byIdentity, { server, identityRef });
        await people.makeSecret(systemNamespace, others, { username: others, password: others });
        await people.makeIdentity(others, {
          secretName: others,
          allowedNamespaces: { list: ["others"] },
          allowedServers: [server],
        });
        for (const cluster of moved) {
          const place = { namespace, cluster, address: addressOf(cluster) };
          await source.makeMachine(simulator, place);
        }
        made = await machinesOn(simulator);
      });

      it("are ready again where they are then", async () => {
        await move(namespace, source.kubernetes, target.kubernetes);
        for (const name of moved) {
          await target.people.clusterIs(namespace, name, "Available");
          const machine = await target.people.machineIs(namespace, `${name}-0`, "Running");
          assert.deepEqual(machine.status?.addresses, [addressOf(name)]);
        }
      });

      it("have their identities and the Secrets of those with them", async () => {
        const { metadata } = await secret(target, namespace, "account");
        const cluster = await target.people.cluster(namespace, bySecret);
        assert.deepEqual(
          metadata.ownerReferences?.map(({ uid }) => uid),
          [cluster.metadata.uid],
        );
        const { status, metadata: arrived } = await identity(target);
        assert.equal(status?.ready, true);
        const owned = await secret(target, systemNamespace, shared);
        assert.deepEqual(
          owned.metadata.ownerReferences?.map(({ uid }) => uid),
          [arrived.uid],
        );
      });

      it("have no identity of another tenant with them", {
        skip: mover === "clusterctl" && "clusterctl takes every identity along",
      }, async () => {
        const { items } = await target.client.resource(identities).list();
        assert.ok(!items.some(({ metadata }) => metadata.name === others));
        await assert.rejects(secret(target, systemNamespace, others), /not found/);
      });

      it("are the same virtual machines: none was made, restarted or removed", async () => {
        assert.deepEqual(await machinesOn(simulator), made);
      });

      it("leave an identity and its Secret where they were, for others that use it", async () => {
        assert.equal((await identity(source)).metadata.deletionTimestamp, undefined);
        assert.ok(await secret(source, systemNamespace, shared));
        for (const name of moved) {
          await gone(() => source.people.cluster(namespace, name), `${name} at the source`);
        }
        await gone(() => secret(source, namespace, "account"), "the Secret of a cluster");
      });

      it("are held by nobody at the source any more: sessions are logged out, the identity is free", async () => {
        await using vcenter = await observe(simulator);
        const users = async () => {
          const names = (await listSessions(vcenter)).map(({ userName }) => userName);
          return names.filter((name) => [shared, namespace].includes(name)).sort();
        };
        // Those of the target are left.
        await waitFor(async () => (await users()).join() === `${shared},${namespace}`, {
          what: "the source to log out",
        });
        await source.client.resource(identities).delete({ name: shared });
        await gone(() => identity(source), "the identity at the source");
        assert.ok(await secret(source, systemNamespace, shared));
      });

      it("let go of what they were moved with, as they would have without a move", async () => {
        const { client, people } = target;
        await people.changeCluster(namespace, bySecret, { identityRef });
        const isReleased = async () =>
          !(await secret(target, namespace, "account")).metadata.ownerReferences?.length;
        await waitFor(isReleased, { what: "the Secret to be released" });
        for (const name of moved) {
          await client.resource(machines).delete({ namespace, name: `${name}-0` });
          await gone(() => people.virtualMachine(namespace, `${name}-0`), `the machine of ${name}`);
          await client.resource(clusters).delete({ namespace, name });
          await gone(() => people.cluster(namespace, name), name);
        }
        await client.resource(identities).delete({ name: shared });
        await gone(() => identity(target), "the identity");
        assert.ok(await secret(target, systemNamespace, shared));
      });
    });
  }
});

/** What makes a virtual machine the one that it is, of all of them. */
async function machinesOn(simulator: Simulator): Promise<readonly string[]> {
  await using vcenter = await observe(simulator);
  const paths = ["name", "config.uuid", "config.instanceUuid", "runtime.powerState"];
  const all = await listObjects(vcenter, { type: "VirtualMachine", paths });
  return all
    .map(({ properties }) => paths.map((path) => textOf(properties.get(path))).join(" "))
    .sort();
}

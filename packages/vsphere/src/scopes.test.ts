import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type {
  VSphereCluster,
  VSphereClusterIdentity,
  VSphereMachine,
  VSphereVM,
} from "@rookery/api";
import { createClientOver } from "@rookery/client";
import type { HttpRequest } from "@rookery/http";
import type { KubeObject, Resource } from "@rookery/kube";
import { createCache, createReconcileContext, type Informer, silentLogger } from "@rookery/runtime";
import { settled } from "@rookery/testing";
import { indexUsers } from "./claims/held-identities.ts";
import { IdentityUsers } from "./claims/identity-users.ts";
import { clusterScope } from "./cluster/scope.ts";
import { watchSecretMetadata } from "./credentials/secret-metadata.ts";
import { identityScope } from "./identity/scope.ts";
import { machineScope } from "./machine/scope.ts";
import {
  clusters as clusterResource,
  identities as identityResource,
  machines as machineResource,
  virtualMachines as vmResource,
} from "./resources.ts";
import { clusterSecretScope, identitySecretScope } from "./secret/scope.ts";
import { FailureLog } from "./sessions/failure-log.ts";
import { SessionManager } from "./sessions/session-manager.ts";
import { ChangeWatch } from "./vm/change-watch.ts";
import { vmScope } from "./vm/scope.ts";

const apiVersion = "infrastructure.cluster.x-k8s.io/v1beta1";
const key = { namespace: "team", name: "a" };
const owner = (kind: string) => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind,
  name: "a",
  uid: kind,
});
const metadata = { ...key, uid: "u", resourceVersion: "1" };
const cluster: VSphereCluster = {
  apiVersion,
  kind: "VSphereCluster",
  metadata: { ...metadata, ownerReferences: [owner("Cluster")] },
  spec: { server: "vc.example", identityRef: { kind: "Secret", name: "s" } },
};
const identity: VSphereClusterIdentity = {
  apiVersion,
  kind: "VSphereClusterIdentity",
  metadata: { name: "a", uid: "u", resourceVersion: "1" },
  spec: { secretName: "s" },
};
const network = { devices: [{ networkName: "n" }] };
const vm: VSphereVM = {
  apiVersion,
  kind: "VSphereVM",
  metadata: { ...metadata, labels: { "cluster.x-k8s.io/cluster-name": "a" } },
  spec: { template: "t", network, bootstrapRef: { apiVersion: "v1", kind: "Secret", name: "d" } },
};
const machine: VSphereMachine = {
  apiVersion,
  kind: "VSphereMachine",
  metadata: {
    ...metadata,
    ownerReferences: [owner("Machine")],
    labels: { "cluster.x-k8s.io/cluster-name": "a" },
  },
  spec: { template: "t", network },
};
const ownerCluster = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: key,
  spec: {
    infrastructureRef: {
      apiGroup: "infrastructure.cluster.x-k8s.io",
      kind: "VSphereCluster",
      name: "a",
    },
  },
};
const secret = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: {
    namespace: "team",
    name: "s",
    uid: "s",
    resourceVersion: "1",
    ownerReferences: [{ apiVersion, kind: "VSphereCluster", name: "other", uid: "other" }],
  },
};
const secretMetadataOnly = {
  ...secret,
  apiVersion: "meta.k8s.io/v1",
  kind: "PartialObjectMetadata",
} as const;
const changed = <T extends KubeObject>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, labels: { changed: "true" } },
});

/** An API server that never answers, and what it was asked. */
function silentServer() {
  const requests: HttpRequest[] = [];
  const client = createClientOver((request) => {
    requests.push(request);
    return new Promise((_, reject) => {
      const end = () => reject(request.signal.reason);
      if (request.signal.aborted) end();
      request.signal.addEventListener("abort", end);
    });
  });
  return { requests, client };
}

const resourceOf = (kind: string): Resource => ({
  group: "cluster.x-k8s.io",
  version: "v1beta2",
  kind,
  namespaced: true,
  plural: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
});

function scopesOver({ client }: Pick<ReturnType<typeof silentServer>, "client">) {
  const cache = createCache({ client });
  const parts = { client, cache, logger: silentLogger, credentialsNamespace: "capv-system" };
  const ownerClusters = resourceOf("Cluster");
  const servers = {
    listed: async () => [],
    isAnyServerAllowed: false,
    tenantNetworks: [],
    refusedAddresses: [],
  };
  const secretMetadata = watchSecretMetadata({ ...parts, manager: { add: () => {} } });
  const identityUsers = new IdentityUsers(client.resource(identityResource));
  const shared = {
    ownerClusters,
    servers,
    secretMetadata,
    identityUsers,
    sessions: new SessionManager(),
    failures: new FailureLog(silentLogger),
    clock: () => new Date(),
    credentialsNamespace: "capv-system",
  };
  indexUsers(cache);
  const contextOf = <T extends KubeObject>(watched: Resource | Informer<T>, signal: AbortSignal) =>
    createReconcileContext<T>(watched, parts, { request: key, signal, logger: silentLogger });
  const vmShared = { ...shared, changes: new ChangeWatch(() => {}), marked: new Set<string>() };
  const machineShared = { ...shared, ownerMachines: resourceOf("Machine") };
  return {
    clusters: (signal: AbortSignal) =>
      clusterScope(contextOf<VSphereCluster>(clusterResource, signal), shared),
    identities: (signal: AbortSignal) =>
      identityScope(contextOf<VSphereClusterIdentity>(identityResource, signal), shared),
    machines: (signal: AbortSignal) =>
      machineScope(contextOf<VSphereMachine>(machineResource, signal), machineShared),
    virtualMachines: (signal: AbortSignal) =>
      vmScope(contextOf<VSphereVM>(vmResource, signal), vmShared),
    secrets: (signal: AbortSignal) => contextOf(secretMetadata.watched, signal),
  };
}

/** Each function of a reconcile that reaches the API server or waits for the cache, by its name. */
const calls: Record<
  string,
  (parts: ReturnType<typeof scopesOver>, signal: AbortSignal) => Record<string, Promise<unknown>>
> = {
  "of a cluster": ({ clusters }, signal) => {
    const all = clusters(signal);
    return {
      get: all.get(key),
      getOwner: all.getOwner(cluster),
      commit: all.commit(cluster, changed(cluster)),
      holdIdentity: all.holdIdentity(cluster, identity),
      releaseIdentity: all.releaseIdentity(key, identity),
      ownSecret: all.ownSecret(cluster, secret),
      keepSecret: all.keepSecret(identity, secret),
      releaseSecret: all.releaseSecret(cluster, secret),
      countMachines: all.countMachines(cluster),
      getIdentity: all.identitySources.getIdentity("a"),
      getSecret: all.identitySources.getSecret("team", "s"),
      getNamespace: all.identitySources.getNamespace("team"),
      identitiesOf: all.identitySources.identitiesOf("s"),
    };
  },
  "of an identity": ({ identities }, signal) => {
    const all = identities(signal);
    return {
      get: all.get({ name: "a" }),
      commit: all.commit(identity, changed(identity)),
      getSecret: all.getSecret("s"),
      ownSecret: all.ownSecret(identity, secret),
      otherOwner: all.otherOwner(identity, secret),
      releaseSecret: all.releaseSecret(identity, secret),
      releaseUsers: all.releaseUsers(identity, ["gone"]),
    };
  },
  "of a Secret": ({ secrets }, signal) => {
    const all = clusterSecretScope(secrets(signal));
    return {
      goneUsers: all.goneUsers(secretMetadataOnly),
      release: all.release(secretMetadataOnly, ["gone"]),
    };
  },
  "of a Secret of an identity": ({ secrets }, signal) => {
    const all = identitySecretScope(secrets(signal), { credentialsNamespace: "capv-system" });
    return {
      goneUsers: all.goneUsers(secretMetadataOnly),
      release: all.release(secretMetadataOnly, ["gone"]),
    };
  },
  "of a virtual machine": ({ virtualMachines }, signal) => {
    const all = virtualMachines(signal);
    return {
      get: all.get(key),
      commit: all.commit(vm, changed(vm)),
      getCluster: all.getCluster(vm),
      getOwnerCluster: all.getOwnerCluster(vm),
      getBootstrapData: all.getBootstrapData(vm),
      getSecret: all.identitySources.getSecret("team", "s"),
    };
  },
  "of a machine": ({ machines }, signal) => {
    const all = machines(signal);
    return {
      get: all.get(key),
      commit: all.commit(machine, changed(machine)),
      getOwner: all.getOwner(machine),
      getOwnerCluster: all.getOwnerCluster(machine, undefined),
      getCluster: all.getCluster(ownerCluster),
      readVm: all.readVm(key),
      createVm: all.createVm(vm),
      commitVm: all.commitVm(vm, changed(vm)),
      deleteVm: all.deleteVm(vm),
    };
  },
};

describe("a reconcile that is ended waits for nothing more:", () => {
  for (const [whose, callsOf] of Object.entries(calls)) {
    it(`every function ${whose}`, { timeout: 20_000 }, async () => {
      const server = silentServer();
      const stop = new AbortController();
      const pending = Object.entries(callsOf(scopesOver(server), stop.signal));
      const ended = new Map<string, string>();
      for (const [name, promise] of pending) {
        promise.then(
          () => ended.set(name, "resolved"),
          () => ended.set(name, "rejected"),
        );
      }
      await settled();
      assert.deepEqual([...ended], [], "nothing answers before");
      assert.ok(server.requests.length > 0);
      stop.abort(new Error("the manager stops"));
      await settled();
      const left = pending.map(([name]) => name).filter((name) => !ended.has(name));
      assert.deepEqual(left, []);
      for (const { method, path, signal } of server.requests) {
        assert.equal(signal.aborted, true, `${method} ${path}`);
      }
    });
  }
});

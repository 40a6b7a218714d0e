import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import { getCondition, type KubeObject } from "@rookery/kube";
import { done, requeueAfter } from "@rookery/runtime";
import type { CredentialSecret } from "../credentials/credential-secret.ts";
import { InvalidCredentialsError } from "../errors.ts";
import { clusterLifecycle } from "./reconcile.ts";
import type { ClusterScope } from "./scope.ts";

const key = { namespace: "team", name: "a" };
const finalizers = ["vspherecluster.infrastructure.cluster.x-k8s.io"];
const shared = { kind: "VSphereClusterIdentity", name: "shared" } as const;
const mine = { kind: "Secret", name: "mine" } as const;
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** With a user of the same name. */
function secret(name: string): CredentialSecret {
  const data = { username: base64(name), password: base64("secret") };
  return { apiVersion: "v1", kind: "Secret", metadata: { name }, data };
}

/** One that the identity has taken. */
function taken(name: string, more: object = {}): CredentialSecret {
  const apiVersion = "infrastructure.cluster.x-k8s.io/v1beta1";
  const kind = "VSphereClusterIdentity";
  const ownerReferences = [{ apiVersion, kind, name: "shared", uid: "identity" }];
  return { ...secret(name), metadata: { name: "account", ownerReferences, ...more } };
}

function identity(list: string[], status: "True" | "False" = "True"): VSphereClusterIdentity {
  const ready = { type: "Ready", reason: "x", message: "", lastTransitionTime: "", status };
  return {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "VSphereClusterIdentity",
    metadata: { name: "shared", uid: "identity" },
    spec: { secretName: "account", allowedNamespaces: { list }, allowedServers: ["vc.example"] },
    status: { conditions: [ready] },
  };
}

interface World {
  readonly cluster?: Partial<VSphereCluster>;
  readonly identityRef?: typeof shared | typeof mine;
  readonly secrets?: Readonly<Record<string, CredentialSecret>>;
  readonly identity?: VSphereClusterIdentity;
  readonly owner?: { readonly paused: boolean } | "none";
  readonly held?: readonly VSphereClusterIdentity[];
  /** Whether the Secret of the identity goes after it was read. */
  readonly isSecretGone?: boolean;
  readonly machines?: number;
  readonly login?: () => never;
}

/** Reconciles a cluster, and tells all that was done. */
async function reconcile(world: World, isThere = true) {
  const deeds: string[] = [];
  let committed: VSphereCluster | undefined;
  const cluster: VSphereCluster = {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "VSphereCluster",
    metadata: { ...key, uid: "u", finalizers },
    spec: { server: "vc.example", ...(world.identityRef && { identityRef: world.identityRef }) },
    ...world.cluster,
  };
  const { owner = { paused: false } } = world;
  const about = { fullName: "", version: "8.0", apiVersion: "", instanceUuid: "" };
  const note =
    (deed: string) =>
    async (_: unknown, { metadata }: KubeObject) => {
      deeds.push(`${deed} ${metadata.name}`);
    };
  const dependencies = {
    get: async () => (isThere ? cluster : undefined),
    getOwner: async () => (owner === "none" ? undefined : { ...cluster, spec: owner }),
    commit: async (_: VSphereCluster, desired: VSphereCluster) => {
      committed = desired;
      return desired;
    },
    identitySources: {
      getIdentity: async () => world.identity,
      getSecret: async (namespace: string, name: string) => world.secrets?.[`${namespace}/${name}`],
      getNamespace: async (name: string) => ({ ...cluster, metadata: { name } }),
      credentialsNamespace: "system",
      guardedNamespaces: ["system"],
      own: undefined,
      identitiesOf: async () => [],
      servers: {
        listed: async () => ["vc.example"],
        isAnyServerAllowed: false,
        tenantNetworks: [],
        refusedAddresses: [],
      },
    },
    failures: { failed: () => {}, forget: () => {} },
    heldIdentities: async () => world.held ?? [],
    holdIdentity: note("hold"),
    keepSecret: async (_: unknown, { metadata }: KubeObject) => {
      deeds.push(`keep ${metadata.name}`);
      return world.isSecretGone !== true;
    },
    releaseIdentity: note("release"),
    ownedSecrets: async () => [],
    ownSecret: async (_: unknown, { metadata }: KubeObject) => {
      deeds.push(`own ${metadata.name}`);
      return true;
    },
    releaseSecret: note("disown"),
    countMachines: async () => world.machines ?? 0,
    sessions: {
      use: async (
        _: string,
        { username }: { username: string },
        work: (session: unknown) => unknown,
      ) => {
        world.login?.();
        deeds.push(`log in as ${username}`);
        return work({ vcenter: { about } });
      },
      release: () => void deeds.push("log out"),
    },
    ca: "authority",
    clock: () => new Date(0),
  };
  const result = await clusterLifecycle.reconcile(key, dependencies as unknown as ClusterScope);
  const { status, metadata } = committed ?? {};
  const ready = getCondition(status?.conditions, "Ready");
  return { result, deeds, ready: status?.ready, reason: ready?.reason, metadata };
}

describe("a cluster is provisioned", () => {
  it("with an identity that is for it, which is held from then on", async () => {
    const secrets = { "system/account": taken("shared-user") };
    const world = { identityRef: shared, identity: identity(["team"]), secrets };
    const { deeds, ready, reason, result } = await reconcile(world);
    assert.deepEqual(deeds, ["hold shared", "keep account", "log in as shared-user"]);
    assert.deepEqual([ready, reason], [true, "Available"]);
    assert.deepEqual(result, requeueAfter(300));
  });

  it("with a Secret beside it, which it owns from then on, and without what it was made as before", async () => {
    const secrets = { "team/mine": secret("mine") };
    const world = { identityRef: mine, secrets, held: [identity([])] };
    const { deeds, ready } = await reconcile(world);
    assert.deepEqual(deeds, ["own mine", "release shared", "log in as mine"]);
    assert.equal(ready, true);
  });
});

describe("the Secret of an identity", () => {
  const going = { deletionTimestamp: "2026-01-01T00:00:00Z" };
  const secrets = { "system/account": taken("shared-user", going) };
  const world = { identityRef: shared, identity: identity(["team"]), secrets };

  it("that is being deleted is for the clusters that used it before", async () => {
    const { deeds, ready } = await reconcile({ ...world, held: [identity([])] });
    assert.deepEqual(deeds, ["keep account", "log in as shared-user"]);
    assert.equal(ready, true);
  });

  it("that is being deleted is for no other, which does not hold the identity either", async () => {
    const { deeds, reason } = await reconcile(world);
    assert.deepEqual([deeds, reason], [["log out"], "SecretNotAvailable"]);
  });

  it("that goes after it was read is used by nobody", async () => {
    const found = { "system/account": taken("shared-user") };
    const { deeds, reason } = await reconcile({ ...world, secrets: found, isSecretGone: true });
    assert.equal(reason, "SecretNotAvailable");
    assert.deepEqual(deeds, ["hold shared", "keep account", "log out"]);
  });
});

describe("a cluster is not provisioned, and nobody is logged in,", () => {
  const account = { "system/account": secret("shared-user") };
  const table: Record<string, [World, reason: string]> = {
    "where its identity is missing": [{ identityRef: shared }, "IdentityNotFound"],
    "where its identity is for other namespaces": [
      { identityRef: shared, identity: identity(["other"]), secrets: account },
      "NamespaceNotAllowed",
    ],
    "where its identity is not ready": [
      { identityRef: shared, identity: identity(["team"], "False"), secrets: account },
      "IdentityNotReady",
    ],
    "where the Secret of its identity is missing": [
      { identityRef: shared, identity: identity(["team"]) },
      "SecretNotAvailable",
    ],
    "where its Secret is missing": [{ identityRef: mine }, "SecretNotAvailable"],
    "where it names nobody, and the controller has no account": [{}, "SecretNotAvailable"],
  };
  for (const [what, [world, reason]] of Object.entries(table)) {
    it(what, async () => {
      const outcome = await reconcile(world);
      assert.deepEqual([outcome.ready, outcome.reason], [false, reason]);
      assert.deepEqual(outcome.deeds, ["log out"]);
      assert.deepEqual(outcome.result, done);
    });
  }
});

describe("a cluster", () => {
  const secrets = { "team/mine": secret("mine") };

  it("whose password is wrong is tried again when that may help", async () => {
    const login = () => {
      throw new InvalidCredentialsError("vc.example", "team-user", { afterMs: 30_000 });
    };
    const { reason, result } = await reconcile({ identityRef: mine, secrets, login });
    assert.equal(reason, "InvalidCredentials");
    assert.deepEqual(result, requeueAfter(30));
  });

  it("is left alone while it is paused, also when it is deleted", async () => {
    const metadata = { ...key, finalizers, deletionTimestamp: "2026-01-01T00:00:00Z" };
    for (const cluster of [{}, { metadata }]) {
      const { deeds } = await reconcile({
        identityRef: mine,
        secrets,
        owner: { paused: true },
        cluster,
      });
      assert.deepEqual(deeds, []);
    }
  });

  it("waits for its Cluster", async () => {
    const { deeds, reason } = await reconcile({ identityRef: mine, secrets, owner: "none" });
    assert.deepEqual([deeds, reason], [[], "WaitingForOwner"]);
  });

  it("goes after its machines, and lets go of everything", async () => {
    const metadata = { ...key, finalizers, deletionTimestamp: "2026-01-01T00:00:00Z" };
    const world = { cluster: { metadata }, held: [identity([])] };
    const waiting = await reconcile({ ...world, machines: 2 });
    assert.deepEqual([waiting.deeds, waiting.reason], [[], "Deleting"]);
    const gone = await reconcile(world);
    assert.deepEqual(gone.deeds, ["release shared", "log out"]);
    assert.deepEqual(gone.metadata?.finalizers ?? [], []);
  });

  it("that is gone without a word holds nothing any more", async () => {
    const { deeds } = await reconcile({ held: [identity([])] }, false);
    assert.deepEqual(deeds, ["log out", "release shared"]);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import type { KubeObject, OwnerReference } from "@rookery/kube";
import type { IdentityReason } from "../errors.ts";
import { inUseFinalizer } from "../in-use.ts";
import type { CredentialSecret } from "./credential-secret.ts";
import { type IdentitySources, type OwnAccount, resolveIdentity } from "./resolve-identity.ts";
import type { ServerRules } from "./server-rules.ts";

const server = "vc.example";
const group = "infrastructure.cluster.x-k8s.io";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

function cluster(identityRef?: { kind: "Secret" | "VSphereClusterIdentity"; name: string }) {
  return {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "VSphereCluster",
    metadata: { name: "a", namespace: "team-a", uid: "cluster-a" },
    spec: { server, ...(identityRef && { identityRef }) },
  } satisfies VSphereCluster;
}

function secret(username: string, changes: Partial<CredentialSecret> = {}): CredentialSecret {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {},
    data: { username: base64(username), password: base64("secret") },
    ...changes,
  };
}

function owned(...ownerReferences: OwnerReference[]): Partial<CredentialSecret> {
  return { metadata: { ownerReferences } };
}

const owner = (kind: string, apiVersion: string, uid: string): OwnerReference => ({
  apiVersion,
  kind,
  name: uid,
  uid,
});

/** A Secret that the identity has taken. */
function taken(username: string): CredentialSecret {
  const kind = "VSphereClusterIdentity";
  return secret(username, owned(owner(kind, `${group}/v1beta1`, "identity")));
}

function identity(
  spec: Partial<VSphereClusterIdentity["spec"]> = { allowedNamespaces: {} },
  ready: "True" | "False" = "True",
): VSphereClusterIdentity {
  const condition = { type: "Ready", reason: "x", message: "", lastTransitionTime: "" };
  return {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "VSphereClusterIdentity",
    metadata: { name: "shared", uid: "identity" },
    spec: { secretName: "account", allowedServers: [server], ...spec },
    status: { conditions: [{ ...condition, status: ready }] },
  };
}

/** One that waits for those who hold it, and says so. */
function leaving(finalizers: readonly string[]): VSphereClusterIdentity {
  const waiting = identity({ allowedNamespaces: {} }, "False");
  const metadata = { ...waiting.metadata, name: "shared", deletionTimestamp: "now", finalizers };
  return { ...waiting, metadata };
}

interface World {
  readonly secrets?: Readonly<Record<string, CredentialSecret>>;
  readonly identity?: VSphereClusterIdentity;
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  readonly own?: OwnAccount;
  readonly servers?: Partial<ServerRules>;
  /** Names of identities that name any Secret. */
  readonly naming?: readonly string[];
}

function sources({ secrets = {}, own, ...world }: World): IdentitySources {
  const namespace: KubeObject = {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "team-a", labels: world.namespaceLabels ?? {} },
  };
  return {
    getIdentity: async (name) => (name === "shared" ? world.identity : undefined),
    getSecret: async (where, name) => secrets[`${where}/${name}`],
    getNamespace: async (name) => (name === "team-a" ? namespace : undefined),
    credentialsNamespace: "system",
    guardedNamespaces: ["system"],
    own: { read: async () => own, servers: async () => own?.servers ?? [] },
    identitiesOf: async () =>
      (world.naming ?? []).map((name) => ({ ...identity(), metadata: { name } })),
    servers: {
      listed: async () => own?.servers ?? [],
      isAnyServerAllowed: false,
      tenantNetworks: [],
      refusedAddresses: [],
      ...world.servers,
    },
  };
}

const own = { username: "controller", password: "secret", servers: [server] };
const bySecret = cluster({ kind: "Secret", name: "mine" });
const inSystem = { ...bySecret, metadata: { ...bySecret.metadata, namespace: "system" } };
const byIdentity = cluster({ kind: "VSphereClusterIdentity", name: "shared" });

describe("a cluster is made as", () => {
  const table: Record<string, [VSphereCluster, World, string]> = {
    "the controller where it says nothing": [cluster(), { own }, "controller"],
    "the Secret in its own namespace": [
      bySecret,
      { own, secrets: { "team-a/mine": secret("team") } },
      "team",
    ],
    "a Secret that is its own": [
      bySecret,
      {
        secrets: {
          "team-a/mine": secret(
            "team",
            owned(owner("VSphereCluster", "infrastructure.cluster.x-k8s.io/v1beta1", "cluster-a")),
          ),
        },
      },
      "team",
    ],
    "a Secret that another controller made": [
      bySecret,
      {
        secrets: {
          "team-a/mine": secret("team", owned(owner("SealedSecret", "bitnami.com/v1alpha1", "s"))),
        },
      },
      "team",
    ],
    "a Secret beside the manager that is labelled for it": [
      inSystem,
      {
        own,
        secrets: {
          "system/mine": secret("controller", {
            metadata: { labels: { "cluster.x-k8s.io/cluster-name": "a" } },
          }),
        },
      },
      "controller",
    ],
    "a Secret beside the manager that has been its own, whatever an identity names since": [
      inSystem,
      {
        own,
        naming: ["greedy"],
        secrets: {
          "system/mine": secret(
            "team",
            owned(owner("VSphereCluster", `${group}/v1beta1`, "cluster-a")),
          ),
        },
      },
      "team",
    ],
    "an identity, with the Secret in the controller's namespace": [
      byIdentity,
      {
        own,
        identity: identity(),
        secrets: { "system/account": taken("shared"), "team-a/account": secret("decoy") },
      },
      "shared",
    ],
    "an identity that is being deleted, where the cluster holds it": [
      byIdentity,
      {
        own,
        identity: leaving([inUseFinalizer({ namespace: "team-a", name: "a" })]),
        secrets: { "system/account": taken("shared") },
      },
      "shared",
    ],
    "an identity that names its Secret the other way": [
      byIdentity,
      {
        identity: {
          ...identity(),
          spec: { secretRef: { name: "b" }, allowedNamespaces: {}, allowedServers: [server] },
        },
        secrets: { "system/b": taken("shared") },
      },
      "shared",
    ],
  };
  for (const [what, [object, world, username]] of Object.entries(table)) {
    it(what, async () => {
      const { credentials } = await resolveIdentity(object, sources(world));
      assert.equal(credentials.username, username);
    });
  }
});

describe("a cluster is not made, and never as the controller instead,", () => {
  const account = { "system/account": taken("shared") };
  const table: Record<string, [VSphereCluster, World, IdentityReason]> = {
    "where the controller has no credentials": [cluster(), {}, "SecretNotAvailable"],
    "on a server that the controller's credentials are not for": [
      cluster(),
      { own: { ...own, servers: ["other.example"] } },
      "ServerNotAllowed",
    ],
    "without its Secret": [bySecret, { own }, "SecretNotAvailable"],
    "with a Secret in another namespace": [
      bySecret,
      { own, secrets: { "system/mine": secret("team"), "team-b/mine": secret("team") } },
      "SecretNotAvailable",
    ],
    "with a Secret that is named by a path": [
      cluster({ kind: "Secret", name: "../system/mine" }),
      { own, secrets: { "team-a/../system/mine": secret("team") } },
      "SecretNotAvailable",
    ],
    "with a Secret without a password": [
      bySecret,
      { own, secrets: { "team-a/mine": secret("team", { data: { username: base64("team") } }) } },
      "SecretNotAvailable",
    ],
    "with the Secret of another cluster": [
      bySecret,
      {
        own,
        secrets: {
          "team-a/mine": secret(
            "team",
            owned(owner("VSphereCluster", "infrastructure.cluster.x-k8s.io/v1alpha4", "other")),
          ),
        },
      },
      "SecretAlreadyInUse",
    ],
    "without its identity": [byIdentity, { own, secrets: account }, "IdentityNotFound"],
    "with an identity that is being deleted": [
      byIdentity,
      { own, secrets: account, identity: leaving([]) },
      "IdentityNotFound",
    ],
    "with an identity that is being deleted and that another cluster holds": [
      byIdentity,
      {
        own,
        secrets: account,
        identity: leaving([inUseFinalizer({ namespace: "team-a", name: "b" })]),
      },
      "IdentityNotFound",
    ],
    "with an identity for no namespace": [
      byIdentity,
      { own, secrets: account, identity: identity({}) },
      "NamespaceNotAllowed",
    ],
    "with an identity for namespaces with other labels": [
      byIdentity,
      {
        own,
        secrets: account,
        namespaceLabels: { tier: "prod" },
        identity: identity({ allowedNamespaces: { selector: { matchLabels: { tier: "dev" } } } }),
      },
      "NamespaceNotAllowed",
    ],
    "with an identity for other servers": [
      byIdentity,
      {
        own,
        secrets: account,
        identity: identity({ allowedNamespaces: {}, allowedServers: ["other.example"] }),
      },
      "ServerNotAllowed",
    ],
    "with an identity that is not ready": [
      byIdentity,
      { own, secrets: account, identity: identity({ allowedNamespaces: {} }, "False") },
      "IdentityNotReady",
    ],
    "with a Secret that an identity has taken, wherever it is": [
      bySecret,
      { own, secrets: { "team-a/mine": taken("shared") } },
      "SecretAlreadyInUse",
    ],
    "with a Secret that an identity names, before the identity has taken it": [
      inSystem,
      { own, secrets: { "system/mine": secret("shared") }, naming: ["shared"] },
      "SecretAlreadyInUse",
    ],
    "with a Secret beside the manager that nobody labelled for it": [
      inSystem,
      { own, secrets: { "system/mine": secret("team") } },
      "SecretNotAllowed",
    ],
    "with a Secret beside the manager that is labelled for another": [
      inSystem,
      {
        own,
        secrets: {
          "system/mine": secret("team", {
            metadata: { labels: { "cluster.x-k8s.io/cluster-name": "b" } },
          }),
        },
      },
      "SecretNotAllowed",
    ],
    "with the controller's own account, though it took that Secret before": [
      inSystem,
      {
        own,
        secrets: {
          "system/mine": secret(
            "controller",
            owned(owner("VSphereCluster", `${group}/v1beta1`, "cluster-a")),
          ),
        },
      },
      "SecretNotAllowed",
    ],
    "with an identity that has not taken its Secret": [
      byIdentity,
      { own, identity: identity(), secrets: { "system/account": secret("another's") } },
      "IdentityNotReady",
    ],
    "with an identity whose Secret is gone": [
      byIdentity,
      { own, identity: identity(), secrets: { "team-a/account": secret("decoy") } },
      "SecretNotAvailable",
    ],
  };
  for (const [what, [object, world, reason]] of Object.entries(table)) {
    it(what, async () => {
      await assert.rejects(resolveIdentity(object, sources(world)), { code: "Identity", reason });
    });
  }

  it("where the API server cannot be asked", async () => {
    const failing = { ...sources({ own }), getSecret: () => Promise.reject(new Error("away")) };
    await assert.rejects(resolveIdentity(bySecret, failing), /away/);
  });
});

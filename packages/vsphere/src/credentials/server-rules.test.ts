import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VSphereCluster, VSphereClusterIdentity, VSphereVM } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import { inUseFinalizer } from "../in-use.ts";
import { clusterServer, machineServer } from "./kept-server.ts";
import { checkAllowed } from "./resolve-identity.ts";
import { type ServerRules, tenantServer } from "./server-rules.ts";

const apiVersion = "infrastructure.cluster.x-k8s.io/v1beta1";
const metadata = { namespace: "team", name: "a", generation: 3 };
const as = "VSphereClusterIdentity/shared/identity";

function identity(changes: Partial<VSphereClusterIdentity["spec"]> = {}): VSphereClusterIdentity {
  const spec = { secretName: "s", allowedNamespaces: {}, ...changes };
  const finalizers = [inUseFinalizer(metadata)];
  const own = { name: "shared", uid: "identity", finalizers };
  return { apiVersion, kind: "VSphereClusterIdentity", metadata: own, spec };
}

/** One that was connected when its generation was this one. */
const connectedAt = (observedGeneration: number, type = "VCenterAvailable") => {
  const condition = { type, status: "True", reason: "Available", message: "" } as const;
  return { conditions: [{ ...condition, lastTransitionTime: "", observedGeneration }] };
};

/** One that failed at this generation, and was connected at some time before. */
const failedAt = (observedGeneration: number, reason: string) => {
  const condition = { type: "VCenterAvailable", status: "False", reason, message: "" } as const;
  const conditions = [{ ...condition, lastTransitionTime: "", observedGeneration }];
  return { conditions, initialization: { provisioned: true } };
};

function cluster(server: string, status: VSphereCluster["status"] = {}): VSphereCluster {
  return { apiVersion, kind: "VSphereCluster", metadata, spec: { server }, status };
}

function machine(server: string, status: VSphereVM["status"] = {}): VSphereVM {
  const spec = { template: "t", network: { devices: [{ networkName: "n" }] }, server };
  return { apiVersion, kind: "VSphereVM", metadata, spec, status };
}

const rules = (changes: Partial<ServerRules> = {}): ServerRules => ({
  listed: async () => ["vc.example"],
  isAnyServerAllowed: false,
  tenantNetworks: [],
  refusedAddresses: [],
  ...changes,
});

const namespace: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "team" } };
const getNamespace = async () => namespace;

describe("an identity without servers", () => {
  it("may be used with a server of the installation", async () => {
    const use = await checkAllowed(cluster("VC.example:443"), identity(), {
      getNamespace,
      servers: rules(),
    });
    assert.deepEqual(use, { server: "VC.example:443", isListed: true });
  });

  it("is refused a server that a tenant chose, with both ways out", async () => {
    await assert.rejects(
      checkAllowed(cluster("evil.example"), identity(), { getNamespace, servers: rules() }),
      (error: Error) => {
        assert.match(error.message, /--vcenter-server=evil\.example/);
        assert.match(error.message, /spec\.allowedServers of the identity/);
        return true;
      },
    );
  });

  it("may be used anywhere where a flag says so, and nothing is said of what is there", async () => {
    const servers = rules({ isAnyServerAllowed: true });
    const use = await checkAllowed(cluster("evil.example:1"), identity(), {
      getNamespace,
      servers,
    });
    assert.deepEqual(use, { server: "evil.example:1", isListed: false });
  });

  it("is for the servers that it names alone, whatever the installation lists", async () => {
    const narrow = identity({ allowedServers: ["other.example"] });
    await assert.rejects(
      checkAllowed(cluster("vc.example"), narrow, { getNamespace, servers: rules() }),
      { reason: "ServerNotAllowed" },
    );
  });
});

describe("a cluster from before servers were listed", () => {
  const servers = rules({ listed: async () => [] });
  const isKept = async (object: VSphereCluster, by = identity()) => {
    const use = checkAllowed(object, by, { getNamespace, servers });
    return use.then(
      ({ kept }) => kept !== undefined,
      () => false,
    );
  };

  it("keeps the server that it was connected with, and says what to add", async () => {
    const use = await checkAllowed(cluster("old.example", connectedAt(3)), identity(), {
      getNamespace,
      servers,
    });
    assert.match(use.kept ?? "", /--vcenter-server=old\.example/);
    assert.match(use.kept ?? "", /spec\.allowedServers/);
  });

  const table: Record<string, [VSphereCluster, VSphereClusterIdentity, boolean]> = {
    "does not keep one that its spec was changed to since": [
      cluster("evil.example", connectedAt(2)),
      identity(),
      false,
    ],
    "does not keep one that it was never connected with": [
      cluster("old.example"),
      identity(),
      false,
    ],
    "keeps one whose vCenter cannot be reached just now": [
      cluster("old.example", failedAt(3, "VCenterUnreachable")),
      identity(),
      true,
    ],
    "does not keep one that could not be reached before its spec was changed": [
      cluster("evil.example", failedAt(2, "VCenterUnreachable")),
      identity(),
      false,
    ],
    "does not keep one that was refused": [
      cluster("evil.example", failedAt(3, "ServerNotAllowed")),
      identity(),
      false,
    ],
    "does not keep one whose namespace was refused before its server was looked at": [
      cluster("evil.example", failedAt(3, "NamespaceNotAllowed")),
      identity(),
      false,
    ],
    "does not keep one that cannot be reached and never was": [
      cluster("evil.example", { ...failedAt(3, "VCenterUnreachable"), initialization: {} }),
      identity(),
      false,
    ],
    "does not keep one with an identity that it does not hold": [
      cluster("old.example", connectedAt(3)),
      { ...identity(), metadata: { name: "shared", uid: "identity" } },
      false,
    ],
    "goes on keeping it once that is written down": [
      cluster("old.example", { connection: { server: "old.example", as, kept: true } }),
      identity(),
      true,
    ],
    "keeps no other than what is written down": [
      cluster("evil.example", {
        ...connectedAt(3),
        connection: { server: "old.example", as, kept: true },
      }),
      identity(),
      false,
    ],
    "keeps it for no other identity of the same name": [
      cluster("old.example", { connection: { server: "old.example", as, kept: true } }),
      { ...identity(), metadata: { name: "shared", uid: "made anew" } },
      false,
    ],
    "does not keep one that was listed since, and is listed no more": [
      cluster("old.example", { ...connectedAt(3), connection: { server: "old.example", as } }),
      identity(),
      false,
    ],
  };
  for (const [what, [object, by, expected]] of Object.entries(table)) {
    it(what, async () => assert.equal(await isKept(object, by), expected));
  }
});

describe("a machine that names a server of its own", () => {
  const account = { as, isHeld: true };
  const old = cluster("vc.example", connectedAt(3));

  it("has that of its cluster where it is the same", () => {
    const request = machineServer(machine("VC.example"), old);
    assert.equal(request.wasUsed(account), clusterServer(old).wasUsed(account));
  });

  it("keeps it where it ran there before", () => {
    const request = machineServer(machine("old.example", connectedAt(3, "Ready")), old);
    assert.equal(request.wasUsed(account), true);
  });

  it("has nothing of what its cluster was connected with", () => {
    const request = machineServer(machine("evil.example"), old);
    assert.equal(request.wasUsed(account), false);
  });

  it("does not keep it for another account than its cluster had", () => {
    const turned = cluster("vc.example", {
      connection: { server: "vc.example", as: "Controller" },
    });
    const request = machineServer(machine("old.example", connectedAt(3, "Ready")), turned);
    assert.equal(request.wasUsed(account), false);
  });
});

describe("a server of a tenant that nobody lists", () => {
  const allowed = ["vc.dev.example", "10.20.0.4", "[fd12::1]", "vc.dev.example:443"];
  it("may be a vCenter somewhere", () => {
    for (const server of allowed) assert.equal(tenantServer(server, rules()).isListed, false);
  });

  const refused = [
    ...["localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "127.1", "2130706433", "0x7f.1"],
    ...["[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "169.254.169.254", "[fe80::1]"],
    ...["kubernetes.default.svc", "etcd.kube-system.svc.cluster.local", "x.y.svc.corp.example."],
    ...["vc.dev.example:6443", "vc.dev.example:22", "10.20.0.4:10250"],
  ];
  for (const server of refused) {
    it(`may not be ${server}, and the message has the way out`, () => {
      assert.throws(() => tenantServer(server, rules()), {
        reason: "ServerNotAllowed",
        message: /--vcenter-server=/,
      });
    });
  }
});

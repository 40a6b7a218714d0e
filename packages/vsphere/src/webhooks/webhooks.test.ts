import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type {
  VSphereCluster,
  VSphereClusterIdentity,
  VSphereMachine,
  VSphereMachineTemplate,
  VSphereVM,
} from "@rookery/api";
import { isForbidden, isInvalid, type KubeObject, type ObjectMeta } from "@rookery/kube";
import { type AdmissionContext, silentLogger } from "@rookery/runtime";
import { inUseFinalizer } from "../claims/in-use.ts";
import { clusterValidator } from "./cluster.ts";
import { clusterIdentityValidator } from "./cluster-identity.ts";
import { machineValidator } from "./machine.ts";
import { machineTemplateValidator } from "./templates.ts";
import { virtualMachineValidator } from "./virtual-machine.ts";

const apiVersion = "infrastructure.cluster.x-k8s.io/v1beta1";

interface Asked extends AdmissionContext {
  readonly warnings: string[];
}

function asked(object?: KubeObject, dryRun = false): Asked {
  const warnings: string[] = [];
  const kind = { group: "", version: "", kind: "" };
  const resource = { group: "", version: "", resource: "" };
  const userInfo = {};
  return {
    request: {
      uid: "u",
      kind,
      resource,
      userInfo,
      operation: "UPDATE",
      namespace: "team",
      dryRun,
      ...(object && { object }),
    },
    signal: new AbortController().signal,
    logger: silentLogger,
    warn: (text) => warnings.push(text),
    warnings,
  };
}

const identity = (spec: Partial<VSphereClusterIdentity["spec"]> = {}, metadata: ObjectMeta = {}) =>
  ({
    apiVersion,
    kind: "VSphereClusterIdentity",
    metadata: { name: "shared", ...metadata },
    spec: { secretName: "s", allowedServers: ["vc"], ...spec },
  }) satisfies VSphereClusterIdentity;

const cluster = (spec: VSphereCluster["spec"], metadata: ObjectMeta = {}): VSphereCluster => ({
  apiVersion,
  kind: "VSphereCluster",
  metadata: { namespace: "team", name: "c", ...metadata },
  ...(spec && { spec }),
});
const shared = { kind: "VSphereClusterIdentity", name: "shared" } as const;

describe("a cluster", () => {
  const validatorFor = (known?: VSphereClusterIdentity) =>
    clusterValidator({
      getIdentity: async () => known,
      getNamespace: async (name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } }),
    });
  const mine = identity({ allowedNamespaces: { list: ["team"] } });
  const theirs = identity({ allowedNamespaces: { list: ["others"] } });

  it("may use an identity that is for its namespace and its server", async () => {
    await validatorFor(mine).create?.(cluster({ server: "vc", identityRef: shared }), asked());
  });

  it("is refused an identity that is not for its namespace", async () => {
    const create = async () =>
      validatorFor(theirs).create?.(cluster({ server: "vc", identityRef: shared }), asked());
    await assert.rejects(create, (error) => {
      assert.ok(isInvalid(error));
      const message =
        /spec\.identityRef\.name: Forbidden: .* may not be used in the namespace team/;
      assert.match(String(error), message);
      return true;
    });
  });

  it("is refused an identity that is not for its server", async () => {
    const create = async () =>
      validatorFor(mine).create?.(cluster({ server: "evil", identityRef: shared }), asked());
    await assert.rejects(create, /spec\.server: Forbidden: .* may not be used on evil/);
  });

  it("is judged by the namespace of the request where it names none yet", async () => {
    const { metadata: _, ...rest } = cluster({ server: "vc", identityRef: shared });
    await validatorFor(mine).create?.({ ...rest, metadata: { name: "c" } }, asked());
  });

  it("is warned of an identity that is not there, and not refused", async () => {
    const context = asked();
    await validatorFor().create?.(cluster({ server: "vc", identityRef: shared }), context);
    assert.equal(context.warnings.length, 1);
  });

  it("is refused when it turns to an identity or a server that is not for it", async () => {
    const before = cluster({ server: "vc" });
    const update = async () =>
      validatorFor(theirs).update?.(
        cluster({ server: "vc", identityRef: shared }),
        before,
        asked(),
      );
    await assert.rejects(update, isInvalid);
  });

  it("can be changed in other ways, and deleted, when its identity is for it no more", async () => {
    const before = cluster({ server: "vc", identityRef: shared });
    const labelled = cluster(before.spec, { labels: { a: "b" } });
    await validatorFor(theirs).update?.(labelled, before, asked());
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    const going = cluster({ server: "other", identityRef: shared }, { deletionTimestamp });
    await validatorFor(theirs).update?.(going, before, asked());
  });

  it("may use a Secret, which is its own namespace's", async () => {
    const identityRef = { kind: "Secret", name: "s" } as const;
    await validatorFor(theirs).create?.(cluster({ server: "vc", identityRef }), asked());
  });
});

describe("an identity", () => {
  const { create, delete: remove } = clusterIdentityValidator({
    clustersNaming: async () =>
      ["one", "two", "three", "four"].map((name) => cluster({ identityRef: shared }, { name })),
  });
  const usedBy = (...names: string[]) =>
    names.map((name) => inUseFinalizer({ namespace: "team", name }));

  it("without servers brings a warning", async () => {
    const context = asked();
    const { allowedServers: _, ...spec } = identity().spec;
    await create?.({ ...identity(), spec }, context);
    assert.match(context.warnings.join(), /allowedServers is not set/);
  });

  it("with servers brings none", async () => {
    const context = asked();
    await create?.(identity(), context);
    assert.deepEqual(context.warnings, []);
  });

  const refused: Record<string, [Partial<VSphereClusterIdentity["spec"]>, RegExp]> = {
    "with two names of its Secret": [
      { secretRef: { name: "t" } },
      /exactly one of secretRef and secretName/,
    ],
    "with a selector that selects nothing": [
      { allowedNamespaces: { selector: { matchExpressions: [{ key: "a", operator: "In" }] } } },
      /spec\.allowedNamespaces\.selector\.matchExpressions\[0\]\.values: Required value/,
    ],
  };
  for (const [what, [spec, message]] of Object.entries(refused)) {
    it(`${what} is refused`, async () => {
      await assert.rejects(async () => create?.(identity(spec), asked()), message);
    });
  }

  it("can be deleted when nobody uses it, though somebody names it", async () => {
    await remove?.(identity(), asked());
  });

  it("cannot be deleted while it is used, and names who uses it", async () => {
    const finalizers = usedBy("four", "one", "three", "two", "in-another-namespace");
    await assert.rejects(
      async () => remove?.(identity({}, { finalizers }), asked()),
      (error) => {
        assert.ok(isForbidden(error));
        const users = "5 VSphereClusters use it: team/four, team/one, team/three and 2 more";
        assert.match(String(error), new RegExp(users));
        return true;
      },
    );
  });
});

type CloneSpec = VSphereMachine["spec"];
const cloneSpec = (changes: Partial<CloneSpec> = {}): CloneSpec => ({
  template: "ubuntu",
  network: { devices: [{ networkName: "n", dhcp4: true }] },
  ...changes,
});
const machine = (changes?: Partial<CloneSpec>, metadata: ObjectMeta = {}): VSphereMachine => ({
  apiVersion,
  kind: "VSphereMachine",
  metadata: { name: "m", ...metadata },
  spec: cloneSpec(changes),
});
const vm = (changes: Partial<VSphereVM["spec"]> = {}, name = "m"): VSphereVM => ({
  apiVersion,
  kind: "VSphereVM",
  metadata: { name },
  spec: { ...cloneSpec(), ...changes },
});
const devices = (ipAddrs: string[]) => ({ devices: [{ networkName: "n", ipAddrs }] });

describe("a machine", () => {
  const accepted: Record<string, Partial<CloneSpec>> = {
    "who it is": { providerID: "vsphere://1" },
    "how it ends": { powerOffMode: "trySoft", guestSoftPowerOffTimeout: "1m" },
    "its network devices": { network: devices(["10.0.0.7/24", "fd00::7/64"]) },
  };
  for (const [what, changes] of Object.entries(accepted)) {
    it(`may be told ${what} later`, async () => {
      await machineValidator.update?.(machine(changes), machine(), asked());
    });
  }

  const refused: Record<string, [Partial<CloneSpec>, RegExp]> = {
    "its template": [{ template: "b" }, /spec\.template: Forbidden: it cannot be changed/],
    "its size": [{ numCPUs: 8 }, /spec\.numCPUs: Forbidden/],
    "its server": [{ server: "other" }, /spec\.server: Forbidden/],
    "its routes": [
      { network: { devices: [], routes: [{ to: "a", via: "b", metric: 1 }] } },
      /spec\.network\.routes: Forbidden/,
    ],
    "an address without a prefix": [
      { network: devices(["10.0.0.7"]) },
      /spec\.network\.devices\[0\]\.ipAddrs\[0\]: Invalid value: "10\.0\.0\.7"/,
    ],
    "a prefix that is too long": [{ network: devices(["10.0.0.7/33"]) }, /ipAddrs\[0\]: Invalid/],
    "a time of nothing": [
      { powerOffMode: "trySoft", guestSoftPowerOffTimeout: "0s" },
      /guestSoftPowerOffTimeout: Invalid value: "0s": it must be greater than 0/,
    ],
  };
  for (const [what, [changes, message]] of Object.entries(refused)) {
    it(`is refused another of ${what}`, async () => {
      const update = async () => machineValidator.update?.(machine(changes), machine(), asked());
      await assert.rejects(update, message);
    });
  }

  it("that could not be created today can be let go of", async () => {
    const old = machine({ network: devices(["bad"]) });
    await machineValidator.update?.({ ...old, metadata: { finalizers: [] } }, old, asked());
  });
});

describe("a virtual machine", () => {
  it("is told its UUID once", async () => {
    await virtualMachineValidator.update?.(vm({ biosUUID: "a" }), vm(), asked());
    const again = async () =>
      virtualMachineValidator.update?.(vm({ biosUUID: "b" }), vm({ biosUUID: "a" }), asked());
    await assert.rejects(again, /spec\.biosUUID: Forbidden/);
  });

  it("with Windows has a short name", async () => {
    const create = async (name: string) =>
      virtualMachineValidator.create?.(vm({ os: "Windows" }, name), asked());
    await create("fifteen-letters");
    await assert.rejects(create("sixteen--letters"), /metadata\.name: Invalid value/);
  });
});

describe("a template of machines", () => {
  const template = (changes?: Partial<CloneSpec>, annotations = {}): VSphereMachineTemplate => ({
    apiVersion,
    kind: "VSphereMachineTemplate",
    metadata: { name: "t", annotations },
    spec: { template: { spec: cloneSpec(changes) } },
  });

  it("cannot be changed", async () => {
    const update = async () =>
      machineTemplateValidator.update?.(template({ numCPUs: 8 }), template(), asked());
    await assert.rejects(update, /spec\.template\.spec\.numCPUs: Forbidden/);
  });

  it("can be compared by the topology controller, in a dry run of its own alone", async () => {
    const changed = template({ numCPUs: 8 }, { "topology.cluster.x-k8s.io/dry-run": "" });
    await machineTemplateValidator.update?.(changed, template(), asked(changed, true));
    const stored = async () =>
      machineTemplateValidator.update?.(changed, template(), asked(changed, false));
    await assert.rejects(stored, isInvalid);
    const other = template({ numCPUs: 8 });
    const dryRun = async () =>
      machineTemplateValidator.update?.(other, template(), asked(other, true));
    await assert.rejects(dryRun, isInvalid);
  });

  it("says nothing that only one machine can have", async () => {
    const create = async (changes: Partial<CloneSpec>) =>
      machineTemplateValidator.create?.(template(changes), asked());
    await assert.rejects(create({ providerID: "vsphere://1" }), /providerID: Forbidden/);
    await assert.rejects(create({ network: devices(["10.0.0.7/24"]) }), /ipAddrs: Forbidden/);
  });
});

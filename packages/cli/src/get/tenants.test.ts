import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Cluster, NestedControlPlane, Provider, VSphereCluster } from "@rookery/api";
import { clusterColumns } from "./clusters.ts";
import { formatItems } from "./column.ts";
import type { Identity } from "./identities.ts";
import type { Surroundings } from "./tenant.ts";
import { tenantColumns, tenantsOf } from "./tenants.ts";

const condition = (type: string, isTrue: boolean) => ({
  type,
  status: isTrue ? "True" : "False",
  reason: isTrue ? "Fine" : "Broken",
  message: "",
  lastTransitionTime: "2026-01-01T00:00:00Z",
});

function namespace(name: string, tenant?: string, phase = "Active") {
  const labels = { ...(tenant && { "rookery.dev/tenant": tenant }) };
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels }, status: { phase } };
}

function provider(place: string, spec: Partial<Provider["spec"]>, isReady = true): Provider {
  const [home, name] = place.split("/");
  return {
    apiVersion: "management.cluster.x-k8s.io/v1alpha1",
    kind: "InfrastructureProvider",
    metadata: { namespace: home, name },
    spec,
    status: { conditions: [condition("Ready", isReady)] },
  } as Provider;
}

function cluster(place: string, { group = "cluster.x-k8s.io", isAvailable = true } = {}): Cluster {
  const [home, name] = place.split("/");
  return {
    apiVersion: `${group}/v1beta2`,
    kind: "Cluster",
    metadata: { namespace: home, name },
    spec: {},
    status: { conditions: [condition("Available", isAvailable)] },
  } as unknown as Cluster;
}

function identity(name: string, allowed?: object, isReady = true): Identity {
  return {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "VSphereClusterIdentity",
    metadata: { name },
    spec: { ...(allowed && { allowedNamespaces: allowed }) },
    status: { ready: isReady },
  } as Identity;
}

function nested(place: string, isReady: boolean): NestedControlPlane {
  const [home, name] = place.split("/");
  return {
    apiVersion: "controlplane.cluster.x-k8s.io/v1alpha4",
    kind: "NestedControlPlane",
    metadata: { namespace: home, name },
    spec: {},
    status: { ready: isReady, conditions: [condition("Ready", isReady)] },
  } as unknown as NestedControlPlane;
}

const nothing: Surroundings = {
  namespaces: [],
  clusters: [],
  providers: [],
  identities: [],
  vsphereClusters: [],
  controlPlanes: [],
  nestedClusters: [],
};

const two = [namespace("a", "red"), namespace("b", "blue"), namespace("c")];
const rungOf = (around: Partial<Surroundings>) =>
  tenantsOf({ ...nothing, namespaces: two, ...around }).find(({ name }) => name === "red")?.rung;

describe("the rung of a tenant", () => {
  const rows: Record<string, [around: Partial<Surroundings>, rung: string]> = {
    "is the lowest where nothing is its own": [{ providers: [provider("sys/gcp", {})] }, "shared"],
    "is an identity that its namespaces alone may use": [
      { identities: [identity("red", { list: ["a"] })] },
      "own identity",
    ],
    "is an identity that a selector gives to it alone": [
      {
        identities: [
          identity("red", { selector: { matchLabels: { "rookery.dev/tenant": "red" } } }),
        ],
      },
      "own identity",
    ],
    "is no identity that another tenant may use": [
      { identities: [identity("red", { list: ["a", "b"] })] },
      "shared",
    ],
    "is no identity that everybody may use": [
      { namespaces: [namespace("a", "red")], identities: [identity("red", {})] },
      "shared",
    ],
    "is no identity that nobody may use": [{ identities: [identity("red")] }, "shared"],
    "is a Secret that its clusters are made with": [
      {
        vsphereClusters: [
          {
            metadata: { namespace: "a", name: "x" },
            spec: { identityRef: { kind: "Secret", name: "account" } },
          } as VSphereCluster,
        ],
      },
      "own identity",
    ],
    "is an instance that names its namespaces": [
      { providers: [provider("sys/gcp", { watch: { namespaces: ["a", "c"] } })] },
      "own instance",
    ],
    "is no instance that names namespaces of another tenant, too": [
      { providers: [provider("sys/gcp", { watch: { namespaces: ["a", "b"] } })] },
      "shared",
    ],
    "is no instance that watches the rest": [
      {
        providers: [
          provider("sys/gcp", { watch: { rest: true } }),
          provider("sys2/gcp", { watch: { excludedNamespaces: ["b"] } }),
        ],
      },
      "shared",
    ],
    "is an API group in which it has its clusters": [
      {
        providers: [provider("sys/gcp", { apiGroupSuffix: "red.example" })],
        clusters: [cluster("a/x", { group: "red.example" })],
      },
      "own API group",
    ],
    "is an API group whose provider lives in its namespace": [
      { providers: [provider("a/gcp", { apiGroupSuffix: "red.example" })] },
      "own API group",
    ],
    "is an API group whose provider watches its namespaces": [
      {
        providers: [
          provider("sys/gcp", { apiGroupSuffix: "red.example", watch: { namespaces: ["a"] } }),
        ],
      },
      "own API group",
    ],
    "is no API group that nobody has told to be its own": [
      { providers: [provider("sys/gcp", { apiGroupSuffix: "red.example" })] },
      "shared",
    ],
    "is a control plane in its namespaces": [
      {
        controlPlanes: [nested("a/x", true)],
        providers: [provider("sys/gcp", { watch: { namespaces: ["a"] } })],
      },
      "own control plane",
    ],
    "is a control plane that is not there yet": [
      {
        nestedClusters: [
          { apiVersion: "x", kind: "NestedCluster", metadata: { namespace: "a", name: "x" } },
        ],
      },
      "own control plane",
    ],
    "is no control plane of another": [{ controlPlanes: [nested("b/x", true)] }, "shared"],
  };
  for (const [name, [around, rung]] of Object.entries(rows)) {
    it(name, () => assert.equal(rungOf(around), rung));
  }
});

describe("tenants", () => {
  const around: Surroundings = {
    ...nothing,
    namespaces: [...two, namespace("a2", "red"), namespace("d", "green", "Terminating")],
    clusters: [cluster("a/x"), cluster("a2/y", { isAvailable: false }), cluster("c/z")],
    providers: [provider("sys/gcp", { watch: { namespaces: ["a", "a2"] } }, false)],
    controlPlanes: [nested("b/x", true)],
  };
  const table = (isWide: boolean) =>
    formatItems(tenantsOf(around), {
      columns: tenantColumns,
      isWide,
      paint: (_, text) => text,
      now: new Date(),
    });

  it("are listed with their namespaces, clusters and readiness", () => {
    assert.equal(
      table(false),
      `TENANT   RUNG                  NAMESPACES   CLUSTERS   READY
blue     4 own control plane   b            0          True
green    0 shared              d            0          False
red      2 own instance        a,a2         1/2        False
`,
    );
  });

  it("are listed with what is their own and what is wrong, where that is asked for", () => {
    const [, , green, red] = table(true).split("\n");
    assert.match(green ?? "", / - {2,}Namespace d: Terminating$/);
    assert.match(
      red ?? "",
      / InfrastructureProvider sys\/gcp {2,}InfrastructureProvider sys\/gcp: Broken; Cluster a2\/y: Broken$/,
    );
  });

  it("are ready with clusters that have infrastructure and were asked for no machines", () => {
    const conditions = [condition("Available", false)];
    const status = { initialization: { infrastructureProvisioned: true }, conditions };
    const bare = { ...cluster("c/x"), status } as unknown as Cluster;
    const controlPlaneRef = { apiGroup: "x.example", kind: "X", name: "x" };
    const waiting = { ...bare, spec: { controlPlaneRef } } as unknown as Cluster;
    const going = {
      ...bare,
      metadata: { ...bare.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" },
    } as unknown as Cluster;
    const tools = { isWide: false, paint: (_: unknown, one: string) => one, now: new Date() };
    for (const [clusters, cells] of [
      [[bare], "1 Provisioned +True"],
      [[bare, cluster("c/y")], "1/2 \\(1 Provisioned\\) +True"],
      [[waiting], "0/1 +False"],
      [[going], "0/1 +False"],
      [[{ ...bare, status: { conditions } } as unknown as Cluster], "0/1 +False"],
    ] as const) {
      const tenants = tenantsOf({ ...nothing, namespaces: [namespace("c", "grey")], clusters });
      const text = formatItems(tenants, { columns: tenantColumns, ...tools });
      assert.match(text, new RegExp(`^grey .* ${cells}$`, "m"));
    }
    const [, row] = formatItems([bare], { columns: clusterColumns, ...tools }).split("\n");
    assert.match(row ?? "", /^x +- +NoMachines /);
  });

  it("are at least what is seen of them, where somebody may not see all", () => {
    const rowFor = (unseen: readonly string[], more: Partial<Surroundings> = {}) =>
      formatItems(tenantsOf({ ...nothing, namespaces: [namespace("b", "red")], unseen, ...more }), {
        columns: tenantColumns,
        isWide: false,
        paint: (_, text) => text,
        now: new Date(),
      }).split("\n")[1];
    assert.match(rowFor(["identities"]) ?? "", /^red +0 shared or higher +b +0 +True$/);
    assert.match(rowFor(["clusters"]) ?? "", /^red +0 shared +b +- +Unknown$/);
    const controlPlanes = [nested("b/x", true)];
    assert.match(rowFor(["identities"], { controlPlanes }) ?? "", /^red +4 own control plane +b /);
  });

  it("are none where no namespace says so", () => {
    assert.deepEqual(tenantsOf({ ...nothing, namespaces: [namespace("c")] }), []);
  });
});

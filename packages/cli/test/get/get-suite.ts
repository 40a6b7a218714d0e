import assert from "node:assert/strict";
import { copyFile, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { before, it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { createTemporaryFolder } from "@rookery/testing";
import { parse } from "yaml";
import type { ManagementCluster } from "../describe/management.ts";
import { run } from "../run.ts";

const namespace = "team";
const infrastructure = "infrastructure.cluster.x-k8s.io";

/** What is listed of a management cluster with tenants on several rungs. */
export function getSuite(management: () => ManagementCluster): void {
  const get = (args: string) =>
    run(`get ${args} --kubeconfig=${management().kubernetes.kubeconfig}`);
  const make = (object: object) => management().make(object as KubeObject);

  before(async () => {
    await management().serve(["InfrastructureProvider", "CoreProvider", "VSphereClusterIdentity"]);
    await management().serveSmall("Cluster", "blue.example");
    await management().serveSmall("InfraCluster", "infrastructure.blue.example");
    for (const tenant of ["red", "blue", "green"]) {
      const labels = { "rookery.dev/tenant": tenant };
      await make({
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: `${tenant}-1`, labels },
      });
    }
    const managementVersion = "management.cluster.x-k8s.io/v1alpha1";
    const conditions = [readyCondition];
    await make({
      apiVersion: managementVersion,
      kind: "InfrastructureProvider",
      metadata: { name: "small", namespace: "red-1" },
      spec: { version: "v1.0.0", watch: { namespaces: ["red-1"] } },
      status: { installedVersion: "v1.0.0", contract: "v1beta2", conditions },
    });
    await make({
      apiVersion: managementVersion,
      kind: "CoreProvider",
      metadata: { name: "cluster-api", namespace: "default" },
      spec: { apiGroupSuffix: "blue.example" },
    });
    await make({
      apiVersion: "blue.example/v1beta2",
      kind: "Cluster",
      metadata: { name: "sky", namespace: "blue-1" },
      // An app under another group names its own kinds as it knows them.
      spec: { infrastructureRef: { apiGroup: infrastructure, kind: "InfraCluster", name: "sky" } },
      status: { phase: "Provisioned", conditions: [{ ...readyCondition, type: "Available" }] },
    });
    await make({
      apiVersion: "infrastructure.blue.example/v1beta2",
      kind: "InfraCluster",
      metadata: { name: "sky", namespace: "blue-1" },
    });
    await make({
      apiVersion: `${infrastructure}/v1beta1`,
      kind: "VSphereClusterIdentity",
      metadata: { name: "green-account" },
      spec: { secretName: "green", allowedNamespaces: { list: ["green-1"] } },
      status: { ready: true },
    });
  });

  it("lists providers, the core first, also where not all of their kinds are served", async () => {
    const { code, output } = await get("providers");
    assert.equal(code, 0);
    assert.deepEqual(cellsOf(output), [
      ["NAMESPACE", "NAME", "KIND", "INSTALLED", "READY", "REASON", "AGE"],
      ["default", "cluster-api", "CoreProvider", "-", "-", "-", "AGE"],
      ["red-1", "small", "InfrastructureProvider", "v1.0.0", "True", "Fine", "AGE"],
    ]);
    const wide = await get("providers small -n red-1 -o wide");
    assert.match(wide.output, /v1\.0\.0 +v1\.0\.0 +v1beta2 +red-1 +- +True +Fine/);
  });

  it("moves nothing out of a namespace that is not there, and says so", async () => {
    const { kubeconfig } = management().kubernetes;
    const move = (name: string) => run(`move --dry-run -n ${name} --kubeconfig=${kubeconfig}`);
    const missing = await move("nowhere");
    assert.deepEqual([missing.code, missing.output], [1, ""]);
    assert.match(missing.errors, /could not find "nowhere" among the namespaces of the source/);
  });

  it("suggests the name that was probably meant", async () => {
    const { kubeconfig } = management().kubernetes;
    const rows: Record<string, string> = {
      "get providers smal": "small",
      "get tenants gren": "green",
      [`get clusters flet -n ${namespace}`]: "fleet",
      [`describe cluster flet -n ${namespace}`]: "fleet",
      [`get kubeconfig flet -n ${namespace}`]: "fleet",
      [`connect flet -n ${namespace}`]: "fleet",
    };
    for (const [args, meant] of Object.entries(rows)) {
      const { code, errors } = await run(`${args} --kubeconfig=${kubeconfig}`);
      assert.equal(code, 1, args);
      assert.ok(errors.includes(`did you mean ${meant}?`), `${args}: ${errors}`);
    }
  });

  it("prints objects as kubectl does", async () => {
    const one = JSON.parse((await get("providers small -o json")).output);
    assert.equal(one.spec.version, "v1.0.0");
    const all = parse((await get("clusters -A -o yaml")).output);
    assert.equal(all.kind, "List");
    const names = all.items.map((item: KubeObject) => item.metadata.name);
    assert.deepEqual(names, ["sky", "fleet", "going", "paused"]);
  });

  it("lists clusters of a namespace, or of all, under every group", async () => {
    const { output } = await get(`clusters -n ${namespace}`);
    assert.deepEqual(cellsOf(output).slice(0, 2), [
      ["NAME", "PHASE", "AVAILABLE", "CONTROL PLANE", "WORKERS", "INFRASTRUCTURE", "AGE"],
      ["fleet", "-", "False", "3/3", "4/6", "InfraCluster", "AGE"],
    ]);
    assert.match(output, /^going +Deleting /m);
    assert.match(output, /^paused +new \(paused\) /m);
    const all = await get("clusters -A -o wide");
    assert.match(all.output, /^blue-1 +sky +Provisioned +True .* blue\.example /m);
  });

  it("says that there is nothing, and where there might be", async () => {
    assert.deepEqual(await get("clusters -n green-1"), {
      code: 0,
      output: "",
      errors: "There are no clusters in namespace green-1. -A lists those of all namespaces.\n",
    });
    const { code, errors } = await get("clusters nobody -n green-1");
    assert.equal(code, 1);
    assert.match(errors, /could not find "nobody" among the clusters in namespace green-1/);
  });

  it("lists identities, all or those that a namespace may use", async () => {
    const { output } = await get("identities");
    assert.deepEqual(cellsOf(output), [
      ["NAME", "KIND", "READY", "NAMESPACES", "AGE"],
      ["green-account", "VSphereClusterIdentity", "True", "green-1", "AGE"],
    ]);
    assert.match((await get("identities -n green-1")).output, /green-account/);
    assert.match((await get("identities -n red-1")).errors, /no identities for namespace red-1/);
  });

  it("lists tenants with their rungs", async () => {
    const { output } = await get("tenants");
    assert.deepEqual(cellsOf(output), [
      ["TENANT", "RUNG", "NAMESPACES", "CLUSTERS", "READY"],
      ["blue", "3 own API group", "blue-1", "1/1", "False"],
      ["green", "1 own identity", "green-1", "0", "True"],
      ["red", "2 own instance", "red-1", "0", "True"],
    ]);
    const { tenants } = JSON.parse((await get("tenants -n blue-1 -o json")).output);
    assert.deepEqual(tenants[0].problems, ["CoreProvider default/cluster-api: NotReady"]);
  });

  it("describes a cluster under an API group of its own", async () => {
    const { kubeconfig } = management().kubernetes;
    const { output } = await run(`describe cluster sky -n blue-1 --kubeconfig=${kubeconfig}`);
    assert.match(
      output,
      /^NAME .*\nCluster\/sky +True +Fine.*\n└─ClusterInfra.* - InfraCluster\/sky/,
    );
  });

  it("prints the kubeconfig that clusterctl prints", async () => {
    const metadata = { name: "fleet-kubeconfig", namespace };
    const value = Buffer.from(kubeconfigOf("admin")).toString("base64");
    await make({ apiVersion: "v1", kind: "Secret", metadata, data: { value } });
    const theirs = await management().clusterctl(["get", "kubeconfig", "fleet", "-n", namespace]);
    assert.equal((await get(`kubeconfig fleet -n ${namespace}`)).output, theirs);
  });

  it("prints the kubeconfig for people where there is one, and not that of another cluster", async () => {
    const printed = async (cluster: string, user: string) => {
      const labels = { "cluster.x-k8s.io/cluster-name": cluster };
      const metadata = { name: "fleet-user-kubeconfig", namespace, labels };
      const data = { value: Buffer.from(kubeconfigOf(user)).toString("base64") };
      await management().kubernetes.kubectl([
        "delete",
        "secret/fleet-user-kubeconfig",
        `-n=${namespace}`,
        "--ignore-not-found",
      ]);
      await make({ apiVersion: "v1", kind: "Secret", metadata, data });
      return (await get(`kubeconfig fleet -n ${namespace}`)).output;
    };
    assert.match(await printed("fleet", "people"), /people/);
    assert.match(await printed("fleet-user", "others"), /admin/);
  });

  it("puts a cluster into the kubeconfig that it was called with, as the current context or beside it", async () => {
    await using folder = await createTemporaryFolder("connect");
    const file = join(folder.path, "config");
    await copyFile(management().kubernetes.kubeconfig, file);
    const before = parse(await readFile(file, "utf8"));
    const call = (args: string) => run(`${args} -n ${namespace}`, { env: { KUBECONFIG: file } });
    const merged = await call("get kubeconfig fleet --merge --as my-fleet");
    assert.deepEqual(
      [merged.code, merged.output],
      [0, `The context my-fleet is in ${file}.\n`],
      merged.errors,
    );
    const connected = await call("connect fleet");
    assert.equal(connected.code, 0, connected.errors);
    assert.match(
      connected.output,
      /is rookery-team-fleet\.\n"kubectl config use-context .* goes back/,
    );
    const after = parse(await readFile(file, "utf8"));
    assert.equal(after["current-context"], "rookery-team-fleet");
    assert.deepEqual(after.users[0], before.users[0]);
    assert.equal(after.clusters.at(-1).cluster.server, "https://fleet.example.com:6443");
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await call("get kubeconfig fleet --merge --unchecked")).code, 2);
  });

  it("puts no kubeconfig that runs programs among those of the user", async () => {
    await using folder = await createTemporaryFolder("connect");
    const file = join(folder.path, "config");
    await copyFile(management().kubernetes.kubeconfig, file);
    const before = await readFile(file, "utf8");
    const evil = JSON.parse(kubeconfigOf("admin"));
    evil.users[0].user = { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "sh" } };
    const value = Buffer.from(JSON.stringify(evil)).toString("base64");
    const metadata = { name: "paused-kubeconfig", namespace };
    await make({ apiVersion: "v1", kind: "Secret", metadata, data: { value } });
    for (const args of ["connect paused", "get kubeconfig paused --merge"]) {
      const { code, errors } = await run(`${args} -n ${namespace}`, { env: { KUBECONFIG: file } });
      assert.equal(code, 1, args);
      assert.match(errors, /only a kubeconfig in a file may name files and programs/);
      assert.equal(await readFile(file, "utf8"), before);
    }
  });

  it("says why there is no kubeconfig", async () => {
    const early = await get(`kubeconfig going -n ${namespace}`);
    assert.equal(early.code, 1);
    assert.match(
      early.errors,
      /could not get the kubeconfig of cluster team\/going: its control plane/,
    );
    const { errors } = await get(`kubeconfig nobody -n ${namespace}`);
    assert.match(errors, /there is no such cluster; "rookery get clusters -A" lists/);
  });
}

/** A kubeconfig of the cluster fleet, as JSON. */
function kubeconfigOf(user: string): string {
  return JSON.stringify({
    "current-context": "fleet",
    contexts: [{ name: "fleet", context: { cluster: "fleet", user } }],
    clusters: [{ name: "fleet", cluster: { server: "https://fleet.example.com:6443" } }],
    users: [{ name: user, user: { token: "secret" } }],
  });
}

const readyCondition = {
  type: "Ready",
  status: "True",
  reason: "Fine",
  message: "",
  lastTransitionTime: "2020-01-01T00:00:00Z",
};

/** Ages are told apart from nothing else. */
function cellsOf(table: string): readonly (readonly string[])[] {
  const lines = table.trimEnd().split("\n");
  return lines.map((line) =>
    line.split(/ {3,}/).map((cell) => cell.replace(/^\d+[smh].*$/, "AGE")),
  );
}

import assert from "node:assert/strict";
import { it } from "node:test";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { rookery } from "../../src/program.ts";
import { run } from "../run.ts";
import type { ManagementCluster } from "./management.ts";

const namespace = "team";

/** clusterctl fills lines up with blanks. */
const withoutBlanks = (text: string) => text.replaceAll(/ +$/gm, "");

/** What is printed of the clusters of scenes-fixture.ts. */
export function describeSuite(management: () => ManagementCluster): void {
  const ours = (args: string) =>
    run(
      `describe cluster ${args} -n ${namespace} --kubeconfig=${management().kubernetes.kubeconfig}`,
    );

  for (const args of [
    "fleet",
    "fleet --grouping=false --echo",
    "fleet --show-conditions=all --show-machinesets",
    "fleet --show-conditions=all+ --show-templates --show-resourcesets",
    "fleet --show-conditions=machine/md-0-c+,KubeadmControlPlane --grouping=false",
    "paused --show-conditions=Cluster",
    "going --show-conditions=all",
  ]) {
    it(`prints what clusterctl prints: ${args}`, async () => {
      const theirs = await management().clusterctl([
        ...["describe", "cluster", ...args.split(" "), "-n", namespace],
      ]);
      const { code, output } = await ours(args);
      assert.equal(code, 0);
      assert.equal(output, withoutBlanks(theirs));
    });
  }

  it("prints what clusterctl prints by the older conditions, which it writes to its input", async () => {
    const args = ["fleet", "--v1beta2=false", "--show-conditions=all"];
    const theirs = await management().clusterctlInput([
      ...["describe", "cluster", ...args, "-n", namespace],
    ]);
    assert.match(theirs, /^NAME +READY +SEVERITY/);
    assert.equal((await ours(args.join(" "))).output, withoutBlanks(theirs));
  });

  it("shows an administrator of one namespace what a cluster administrator sees", async () => {
    const { kubeconfig } = await grantIn(management(), "team-admin", [
      { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
    ]);
    for (const args of ["fleet", "fleet --show-conditions=all --show-resourcesets"]) {
      const whole = await ours(args);
      const { code, output, errors } = await run(
        `describe cluster ${args} -n ${namespace} --kubeconfig=${kubeconfig}`,
      );
      assert.deepEqual([code, errors, output], [0, "", whole.output]);
    }
    const clusters = await run(`get clusters -n ${namespace} --kubeconfig=${kubeconfig}`);
    assert.deepEqual([clusters.code, clusters.errors], [0, ""]);
    assert.match(clusters.output, /^fleet /m);
    const sky = await run(`get clusters -n blue-1 --kubeconfig=${kubeconfig}`);
    assert.equal(sky.code, 1, "of another namespace there is nothing to see");
    assert.match(sky.errors, /"team-admin" cannot list resource "clusters"/);
  });

  it("lists the tenant of a namespace for its administrator, and says what is not seen", async () => {
    const { kubeconfig } = await grantIn(management(), "tenant-admin", [
      { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
    ]);
    const namespaces = management().client.resource<KubeObject>(builtInResources.namespaces);
    const label = (name: string | null) =>
      namespaces.patch(
        { name: namespace },
        { type: "merge", patch: { metadata: { labels: { "rookery.dev/tenant": name } } } },
      );
    await label("team");
    const get = (args: string) => run(`get tenants ${args} --kubeconfig=${kubeconfig}`);
    const { code, output, errors } = await get(`-n ${namespace}`);
    assert.equal(code, 0, errors);
    assert.match(output, /^team +0 shared or higher +team /m);
    assert.match(errors, /Seen of namespace team alone: .*clusters.*; not at all: .*identities/);
    const { tenants } = JSON.parse((await get(`-n ${namespace} -o json`)).output);
    assert.deepEqual(tenants[0].unseen, ["identities", "providers"]);
    const other = await get("-n blue-1");
    assert.equal(other.code, 1);
    assert.match(other.errors, /you may not list namespaces, nor read the namespace blue-1/);
    await label(null);
  });

  it("shows who may read clusters and little else the cluster, and names what is not shown", async () => {
    const { kubeconfig } = await grantIn(management(), "team-reader", [
      { apiGroups: ["cluster.x-k8s.io"], resources: ["clusters"], verbs: ["get", "list"] },
    ]);
    const { code, output, errors } = await run(
      `describe cluster fleet -n ${namespace} --kubeconfig=${kubeconfig}`,
    );
    assert.equal(code, 0, errors);
    assert.match(output, /^Cluster\/fleet /m);
    assert.equal(
      errors,
      `Not shown, as you may not list them in namespace ${namespace}: Machine, MachinePool\n`,
    );
  });

  for (const [args, columns] of [
    ["fleet --show-conditions=all --show-machinesets", 120],
    ["fleet --show-conditions=all", 80],
    ["fleet --grouping=false --echo", 72],
    ["fleet --v1beta2=false --show-conditions=all", 80],
  ] as const) {
    it(`breaks no word at a terminal of ${columns} columns: ${args}`, async () => {
      const { kubeconfig } = management().kubernetes;
      const command = `describe cluster ${args} -n ${namespace} --color=false --kubeconfig=${kubeconfig}`;
      const { code, output } = await run(command, { columns });
      assert.equal(code, 0);
      const lines = output.split("\n");
      assert.deepEqual(
        lines.filter((one) => one.length > columns),
        [],
      );
      const whole = (await ours(args)).output;
      const words = (text: string) =>
        new Set(
          text
            .split("\n")
            .slice(1)
            .join(" ")
            .split(/[\s,│├└─]+/)
            .map((one) => one.replace(/:$/, "")),
        );
      const shown = words(output);
      const dropped = [...words(whole)].filter((word) => !shown.has(word));
      const isCounter = (word: string) => /^(\d+(\/\d+)?|\d+(s|m|h|d|y)\S*)$/.test(word);
      assert.deepEqual(
        dropped.filter((word) => !isCounter(word)),
        [],
      );
    });
  }

  it("prints the same for programs", async () => {
    const { output } = await ours("fleet -o json");
    const fleet = JSON.parse(output);
    assert.deepEqual(
      [fleet.kind, fleet.name, fleet.namespace, fleet.replicas, fleet.ready],
      ["Cluster", "fleet", namespace, "9/9", 7],
    );
    const [infrastructure, plane, workers] = fleet.children;
    assert.equal(infrastructure.role, "ClusterInfrastructure");
    assert.deepEqual(plane.children[0].members, ["fleet-cp-0", "fleet-cp-1", "fleet-cp-2"]);
    assert.equal(workers.children[0].children[0].name, "md-0-d");
    assert.ok(workers.children[0].children[0].deletionTimestamp);
  });

  it("prints it again when it has changed, until it is gone", async () => {
    const { client, kubernetes } = management();
    const clusters = await client.kind({ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster" });
    const key = { namespace, name: "paused" };
    const condition = { type: "Available", status: "True", reason: "Resumed", message: "" };
    const lastTransitionTime = "2020-01-01T00:00:00Z";
    const status = { conditions: [{ ...condition, lastTransitionTime }] };
    const changes = [
      () => clusters.status.patch(key, { type: "merge", patch: { status } }),
      () => clusters.delete(key),
    ];
    const printed: string[] = [];
    const failures: unknown[] = [];
    const args = `describe cluster paused --watch -n ${namespace} --kubeconfig=${kubernetes.kubeconfig}`;
    const code = await rookery(args.split(" "), {
      write: (text) => {
        changes[printed.length]?.().catch((error: unknown) => failures.push(error));
        printed.push(text);
      },
      writeError: (text) => printed.push(text),
      readInput: async () => "",
      env: {},
    });
    assert.deepEqual(failures, []);
    assert.equal(code, 0);
    assert.match(printed[0] ?? "", /^NAME.*\nCluster\/paused +Unknown +IsAvailable/);
    assert.match(printed[1] ?? "", /^\nNAME.*\nCluster\/paused +True +Resumed/);
    assert.deepEqual(printed.slice(2), ["The cluster is gone.\n"]);
  });

  it("says where to look for a cluster that is not there", async () => {
    const { code, errors } = await ours("nobody");
    assert.equal(code, 1);
    assert.equal(
      errors,
      'rookery: could not describe cluster team/nobody: there is no such cluster; "rookery get clusters -A" ' +
        "lists those that there are\n",
    );
  });
}

/** A user with these rights in the namespace of the scenes, and none elsewhere. */
async function grantIn(
  { kubernetes, client }: ManagementCluster,
  name: string,
  rules: readonly object[],
): Promise<{ readonly kubeconfig: string }> {
  const apiGroup = "rbac.authorization.k8s.io";
  const apiVersion = `${apiGroup}/v1`;
  const metadata = { name, namespace };
  const role = { apiVersion, kind: "Role", metadata, rules };
  const binding = {
    apiVersion,
    kind: "RoleBinding",
    metadata,
    roleRef: { apiGroup, kind: "Role", name },
    subjects: [{ apiGroup, kind: "User", name }],
  };
  for (const object of [role, binding]) {
    await (await client.kind<KubeObject>(object)).create(object as KubeObject);
  }
  return kubernetes.user({ name });
}

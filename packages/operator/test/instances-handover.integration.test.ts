import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { getCondition, type KubeObject } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { Shell } from "./document.ts";
import { NestsCluster, nests } from "./nests-cluster.ts";
import { overlapsAmong, readReconciles } from "./reconcile-log.ts";
import type { Administrator, OperatorCluster } from "./running-operator.ts";

const kind = "InfrastructureProvider";
const one = { namespace: "nests1-system", name: "nests" };
const two = { namespace: "nests2-system", name: "nests" };
const teams = ["team1", "team2", "team3", "team4"];
interface AuditEvent {
  readonly stage: string;
  readonly verb: string;
  readonly objectRef: { readonly namespace: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** On a busy machine a manager may not get to renew its lease for seconds: then another would take over from it. */
const args = [
  ...["--leader-elect-lease-duration=15s", "--leader-elect-renew-deadline=14s"],
  "--leader-elect-retry-period=500ms",
];

describe("namespaces move between instances whose managers run", () => {
  let world: NestsCluster;
  let cluster: OperatorCluster;
  let admin: Administrator;
  let log: string;

  before(async () => {
    world = await NestsCluster.start({ args, audit: "Metadata" });
    ({ cluster, admin, log } = world);
    for (const name of teams) await admin.makeNamespace(name);
    for (const { namespace } of [one, two]) await world.offer(namespace, "v1.0.0");
  });
  after(() => world?.[Symbol.asyncDispose]());

  const makeNest = (namespace: string, name = "nest") => world.makeNest(namespace, name);

  /** Waits until each team is reconciled by an instance, anew. */
  async function reconciledBy(expected: Readonly<Record<string, string>>): Promise<void> {
    const from = process.hrtime.bigint();
    const seen = new Map<string, string>();
    await waitFor(
      async () => {
        for (const { object, instance, begin } of await readReconciles(log)) {
          const [namespace = ""] = object.split("/");
          if (begin > from) seen.set(namespace, instance.slice(0, 6));
        }
        return Object.entries(expected).every(([team, instance]) => seen.get(team) === instance);
      },
      {
        what: `reconciles by ${JSON.stringify(expected)}`,
        detail: () => JSON.stringify([...seen]),
        timeout: 180_000,
      },
    );
  }

  async function creationsOf(name: string): Promise<readonly AuditEvent[]> {
    const text = await readFile(join(cluster.kubernetes.logs, "audit.log"), "utf8");
    return text
      .split("\n")
      .filter((line) => line.endsWith("}") && line.includes(`"name":"${name}"`))
      .map((line) => JSON.parse(line) as AuditEvent)
      .filter(({ stage, verb }) => stage === "ResponseComplete" && verb === "create");
  }

  const isReady = (key: typeof one) => admin.conditionIs(kind, key, ["Ready", "Ready"]);

  it("each reconciles what is in its namespaces", async () => {
    const watch = { namespaces: ["team1", "team2"], rbac: "Cluster" } as const;
    await admin.create(kind, one, { version: "v1.0.0", watch });
    await isReady(one);
    await admin.create(kind, two, { watch: { rest: true } });
    const last = await isReady(two);
    assert.equal(last.spec?.version, "v1.0.0", "one that names no version has that of the first");
    assert.deepEqual(last.status?.watch, {
      by: "flag",
      first: false,
      rbac: "Cluster",
      excludedNamespaces: ["team1", "team2"],
    });
    for (const name of teams) await makeNest(name);
    await reconciledBy({ team1: "nests1", team2: "nests1", team3: "nests2", team4: "nests2" });
  });

  it("an object is admitted by one instance", async () => {
    const type = { group: "admissionregistration.k8s.io", kind: "ValidatingWebhookConfiguration" };
    const own = { name: `nests-validation-${one.namespace}` };
    // It lets go of what the other surely admits.
    const isNarrow = async () => JSON.stringify(await admin.find(type, own)).includes('"In"');
    await waitFor(isNarrow, { what: "the first to admit its own namespaces alone" });
    for (const team of teams) await makeNest(team, "admitted");
    const creations = await waitFor(
      async () => {
        const found = await creationsOf("admitted");
        return found.length === teams.length && found;
      },
      { what: "the API server to write down the creations" },
    );
    for (const { annotations = {}, objectRef } of creations) {
      // No webhook answers here, and each one that was asked is written down.
      const asked = Object.keys(annotations).filter((key) => key.includes("failed-open"));
      assert.equal(asked.length, 1, `${objectRef.namespace}: ${JSON.stringify(annotations)}`);
    }
  });

  it("a namespace that one lets go of is the last resort's", async () => {
    await admin.change(kind, one, { watch: { namespaces: ["team1"] } });
    await reconciledBy({ team1: "nests1", team2: "nests2", team3: "nests2" });
    await isReady(one);
    await isReady(two);
    await admin.watches(kind, two, {
      by: "flag",
      first: false,
      rbac: "Cluster",
      excludedNamespaces: ["team1"],
    });
  });

  it("a namespace that one claims comes when the last resort is done with it", async () => {
    await makeNest("team3", "slow");
    await waitFor(
      async () => {
        const reconciles = await readReconciles(log);
        return reconciles.some(({ object, end }) => object === "team3/slow" && end === undefined);
      },
      { what: "a reconcile that takes long" },
    );
    await admin.change(kind, one, { watch: { namespaces: ["team1", "team3"] } });
    await reconciledBy({ team1: "nests1", team2: "nests2", team3: "nests1" });
    const slow = { namespace: "team3", name: "slow" };
    await cluster.client.resource<KubeObject>(nests).delete(slow);
    await isReady(one);
    await isReady(two);
  });

  it("a namespace that two claim stays where it is, until one lets go of it", async () => {
    await admin.change(kind, two, { watch: { rest: null, namespaces: ["team2", "team4"] } });
    await isReady(two);
    await admin.change(kind, one, { watch: { namespaces: ["team1", "team3", "team4"] } });
    const clash = await admin.conditionIs(kind, one, ["PreflightCheckPassed", "NamespaceClash"]);
    const { message } = getCondition(clash.status?.conditions, "PreflightCheckPassed") ?? {};
    assert.match(
      message ?? "",
      /namespace team4 to .*nests1-system\/nests: .*nests2-system\/nests claims/,
    );
    await reconciledBy({ team1: "nests1", team4: "nests2" });
    await admin.change(kind, two, { watch: { namespaces: ["team2"] } });
    await reconciledBy({ team2: "nests2", team3: "nests1", team4: "nests1" });
    await isReady(one);
  });

  it("a namespace with objects that nobody watches is told", async () => {
    await admin.change(kind, one, { watch: { namespaces: ["team1"] } });
    const gap = await admin.conditionIs(kind, one, ["Warning", "NamespaceGap"]);
    const { message } = getCondition(gap.status?.conditions, "Warning") ?? {};
    assert.match(
      message ?? "",
      /nobody watches namespaces team3, team4, .*nests1-system.*nests2-system/,
    );
    // It is told of as soon as nobody claims them; they are let go of a little later.
    await admin.watches(kind, one, {
      by: "flag",
      first: true,
      rbac: "Cluster",
      namespaces: ["team1"],
    });
    // And while the pod that watched them goes, they are still watched.
    const shell = await Shell.create(cluster.kubernetes, world.folder);
    let shards = "";
    await waitFor(
      async () => {
        shards = await shell.run("rookery shards 2>&1 || echo ended with code $?");
        return /^gap: nobody watches namespace team3, where \S+ nests has 2 objects$/m.test(shards);
      },
      { what: "rookery shards to tell of the gap", detail: () => shards },
    );
    assert.match(shards, /^ended with code 1$/m);
    await admin.change(kind, two, { watch: { namespaces: null, rest: true } });
    await reconciledBy({ team1: "nests1", team2: "nests2", team3: "nests2", team4: "nests2" });
    await waitFor(
      async () => {
        const { status } = await admin.get(kind, one);
        return getCondition(status?.conditions, "Warning") === undefined;
      },
      { what: "the warning to go" },
    );
  });

  it("one that is killed starts again with its namespaces alone", async () => {
    await world.kill(two.namespace);
    await reconciledBy({ team1: "nests1", team2: "nests2", team3: "nests2", team4: "nests2" });
  });

  it("versions that differ change nothing; then the first goes ahead and the others follow", async () => {
    for (const { namespace } of [one, two]) await world.offer(namespace, "v1.1.0");
    await admin.change(kind, two, { version: "v1.1.0" });
    const skew = await admin.conditionIs(kind, two, ["PreflightCheckPassed", "VersionSkew"]);
    const { message } = getCondition(skew.status?.conditions, "PreflightCheckPassed") ?? {};
    assert.match(message ?? "", /nests1-system\/nests names v1\.0\.0/);
    assert.equal(skew.status?.installedVersion, "v1.0.0");
    await admin.change(kind, one, { version: "v1.1.0" });
    const upgraded = await isReady(two);
    assert.equal(upgraded.status?.installedVersion, "v1.1.0");
    assert.equal((await isReady(one)).status?.installedVersion, "v1.1.0");
    await reconciledBy({ team1: "nests1", team2: "nests2" });
  });

  it("with rights in its namespaces alone, one cannot read those of the other", async () => {
    await admin.change(kind, one, { watch: { namespaces: ["team1"], rbac: "Namespaced" } });
    await isReady(one);
    const may = async (namespace: string) => {
      const { body } = await cluster.kubernetes.request(
        "POST",
        "/apis/authorization.k8s.io/v1/subjectaccessreviews",
        {
          body: {
            apiVersion: "authorization.k8s.io/v1",
            kind: "SubjectAccessReview",
            spec: {
              user: "system:serviceaccount:nests1-system:nests-manager",
              groups: ["system:serviceaccounts", "system:authenticated"],
              resourceAttributes: {
                group: nests.group,
                resource: "nests",
                verb: "list",
                namespace,
              },
            },
          },
        },
      );
      return body.status.allowed as boolean;
    };
    let allowed: readonly boolean[] = [];
    await waitFor(
      async () => {
        allowed = await Promise.all(["team1", "team2", ""].map(may));
        return isDeepStrictEqual(allowed, [true, false, false]);
      },
      { what: "the cluster-wide rights to go", detail: () => JSON.stringify(allowed) },
    );
    await reconciledBy({ team1: "nests1", team2: "nests2" });
  });

  it("when the first goes, the last resort has all, and what both shared", async () => {
    await admin.remove(kind, one);
    await admin.isGone(kind, one);
    await reconciledBy(Object.fromEntries(teams.map((team) => [team, "nests2"])));
    await isReady(two);
    await admin.watches(kind, two, { by: "flag", first: true, rbac: "Cluster" });
    const role = { group: "rbac.authorization.k8s.io", kind: "ClusterRole" };
    assert.ok(await admin.find(role, { name: "nests-manager" }));
    const bindings = await cluster.kubernetes.kubectl(["get", "rolebindings", "-A", "-o", "name"]);
    assert.doesNotMatch(bindings, /nests1-system/);
  });

  it("and at no time were two at one object", async () => {
    const reconciles = await readReconciles(log);
    const pods = new Set(reconciles.map(({ pod }) => pod));
    assert.ok(reconciles.length > 100, `${reconciles.length} reconciles`);
    assert.ok(pods.size > 4, `${pods.size} pods`);
    assert.deepEqual(overlapsAmong(reconciles), []);
  });
});

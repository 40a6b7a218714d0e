import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { ShardReport } from "@rookery/operator";
import { createTemporaryFolder, waitFor } from "@rookery/testing";
import {
  type Simulator,
  simulatorUnavailable,
  startSimulator,
} from "../../../vsphere/test/vcsim.ts";
import { clusterTemplate, hostedControlPlanes, ownInstance, tenantObjects } from "./day-objects.ts";
import { type DayPlane, embeddedPlane, realPlane } from "./day-plane.ts";
import { dayVersions, writeDayReleases } from "./day-releases.ts";

const skip = await simulatorUnavailable();
const [first, second] = dayVersions;
const timeout = 180_000;
const provider = "infrastructureprovider.management.cluster.x-k8s.io/vsphere";

/** Two clusters live through the same day, and each takes the tenant of the other in the end. */
describe("the whole day of an admin, on a real API server and on the embedded one", {
  skip,
}, () => {
  const stack = new AsyncDisposableStack();
  let simulator: Simulator;
  let planes: readonly (readonly [here: DayPlane, there: DayPlane])[];
  let template: string;

  before(async () => {
    const accounts = { admin: "admin", east: "east", west: "west" };
    simulator = stack.use(await startSimulator({ accounts }));
    const { path: home } = stack.use(await createTemporaryFolder("admin-day"));
    await writeDayReleases(home);
    template = join(home, "template.yaml");
    await writeFile(template, clusterTemplate(simulator));
    const env = {
      PATH: process.env.PATH ?? "",
      VSPHERE_SERVER: simulator.server,
      VSPHERE_USERNAME: "admin",
      VSPHERE_PASSWORD: "admin",
    };
    // Both are ended also when one of them does not start.
    const started = await Promise.allSettled([
      realPlane({ tenant: "east", home, env }).then((plane) => stack.use(plane)),
      embeddedPlane({ tenant: "west", home, env }).then((plane) => stack.use(plane)),
    ]);
    const [real, embedded] = started.map((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value;
    }) as [DayPlane, DayPlane];
    planes = [
      [real, embedded],
      [embedded, real],
    ];
  });
  after(() => stack.disposeAsync());

  const onBoth = (step: (here: DayPlane, there: DayPlane) => Promise<void>) => () =>
    Promise.all(planes.map(([here, there]) => step(here, there))).then(() => {});
  const apply = (plane: DayPlane, ...objects: readonly object[]) =>
    plane.kubectl(
      "apply --server-side -f -",
      objects.map((object) => JSON.stringify(object)).join("\n---\n"),
    );
  /** What a command says in the end: others do their part in their own time. */
  const says = (plane: DayPlane, line: string, wanted: RegExp) => {
    let last = "";
    const isSo = async () => {
      last = await plane.rookery(line);
      return wanted.test(last);
    };
    const what = `"rookery ${line}" to say ${wanted}`;
    return waitFor(isSo, { what, timeout, interval: 250, detail: () => last });
  };

  it(
    "init brings the operator, the core and a provider",
    onBoth(async (here) => {
      const wanted = `--core rookery-core:${first} -b - -c - -i vsphere:${first}`;
      const output = await here.rookery(`init ${wanted}`);
      assert.match(output, /^Installed and ready:\n {2}CoreProvider rookery-core v0\.1\.0\n/);
      assert.match(await here.rookery("get providers"), /vsphere .*v0\.1\.0 .*True/);
    }),
  );

  it(
    "a tenant has a namespace, an account and a cluster",
    onBoth(async (here) => {
      const { tenant } = here;
      await apply(here, hostedControlPlanes, ...tenantObjects(tenant, simulator));
      const cluster = await here.rookery(
        `generate cluster prod --from=${template} --target-namespace=${tenant}`,
      );
      await here.kubectl("apply -f -", cluster);
      await says(here, `get clusters -n ${tenant}`, /^prod +Provisioned/m);
      await says(here, "get tenants", new RegExp(`^${tenant} +1 own identity +${tenant} `, "m"));
      const tree = await here.rookery(`describe cluster prod -n ${tenant}`);
      assert.match(tree, /ClusterInfrastructure - VSphereCluster\/prod/);
    }),
  );

  it(
    "a shard of its own watches the tenant, and the first one the rest",
    onBoth(async (here) => {
      const { tenant } = here;
      const home = `${tenant}-capv-system`;
      await here.kubectl(`create namespace ${home}`);
      await copyRelease(here, home);
      const rest = JSON.stringify({ spec: { watch: { rest: true } } });
      await here.kubectl(`patch ${provider} -n capv-system --type=merge -p ${rest}`);
      await apply(here, ownInstance(tenant, first));
      for (const place of ["capv-system", home]) {
        await here.kubectl(`wait ${provider} -n ${place} --for=condition=Ready --timeout=300s`);
      }
      await says(here, "get tenants", new RegExp(`^${tenant} +2 own instance `, "m"));
      const divided = [
        ["capv-system", undefined, [tenant]],
        [home, [tenant], undefined],
      ];
      let last: unknown;
      const isDivided = async () => {
        last = await divisionOf(here);
        return isDeepStrictEqual(last, divided);
      };
      const what = "both instances to watch what is theirs";
      await waitFor(isDivided, { what, timeout, detail: () => JSON.stringify(last) });
    }),
  );

  it(
    "upgrade plan shows what is newer, and apply brings all instances there",
    onBoth(async (here) => {
      const plan = await here.rookery("upgrade plan");
      assert.match(plan, /vsphere .*v0\.1\.0 .*v0\.2\.0/);
      await here.rookery("upgrade apply --contract v1beta2");
      const versions = await here.kubectl(
        `get ${provider.split("/")[0]} -A -o jsonpath={.items[*].status.installedVersion}`,
      );
      assert.equal(versions, `${second} ${second}`);
      assert.match(await here.rookery(`get clusters -n ${here.tenant}`), /^prod +Provisioned/m);
    }),
  );

  it(
    "move takes the cluster with its account to the other one, where it goes on",
    onBoth(async (here, there) => {
      const { tenant } = here;
      const move = `move -n ${tenant} --to-kubeconfig=${there.kubeconfig}`;
      assert.match(await here.rookery(`${move} --dry-run`), /Cluster .*prod/);
      await here.rookery(move);
      assert.equal(await here.kubectl(`get clusters -n ${tenant} -o name`), "");
      await there.kubectl(`label namespace ${tenant} rookery.dev/tenant=${tenant}`);
      await says(there, `get clusters -n ${tenant}`, /^prod +Provisioned/m);
      const mine = new RegExp(`^${tenant} +1 own identity +${tenant} +\\d/1`, "m");
      await says(there, "get tenants", mine);
    }),
  );

  it(
    "delete refuses what a cluster uses, and takes all of it when that is gone",
    onBoth(async (here, there) => {
      const uses = `is used by Cluster ${there.tenant}/prod; delete them first`;
      assert.match(await here.refused("delete --all --wait-timeout 5"), new RegExp(uses));
      await here.rookery(`delete -i vsphere -n ${here.tenant}-capv-system`);
      await here.kubectl(`delete cluster/prod -n ${there.tenant} --timeout=300s`);
      await here.kubectl(`delete -f - --timeout=300s`, JSON.stringify(hostedControlPlanes));
      const output = await here.rookery("delete --all --include-crd --include-namespace");
      assert.match(output, /^Gone:\n(.*\n)*.*the operator in rookery-system\n$/);
      let left = "";
      const isEmpty = async () => {
        left = await here.kubectl("get crds,deployments -A -o name");
        return left === "";
      };
      await waitFor(isEmpty, { what: "nothing to be left", timeout, detail: () => left });
    }),
  );

  /** What each instance of the provider watches. The command fails while there is a gap or an overlap. */
  async function divisionOf(plane: DayPlane): Promise<readonly unknown[]> {
    const report: Pick<ShardReport, "shards"> = JSON.parse(await plane.rookery("shards -o json"));
    return report.shards
      .filter(({ instance }) => instance.includes("capv"))
      .map(({ instance, namespaces, excludedNamespaces }) => [
        ...[instance, namespaces, excludedNamespaces],
      ]);
  }

  /** The operator finds releases in the namespace of the provider that they are for. */
  async function copyRelease(plane: DayPlane, namespace: string): Promise<void> {
    const release = `configmap/infrastructure-vsphere-${first}`;
    const found = JSON.parse(await plane.kubectl(`get ${release} -n capv-system -o json`));
    const { name, labels } = found.metadata;
    await apply(plane, { ...found, metadata: { name, labels, namespace } });
  }
});

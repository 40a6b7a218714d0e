import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  clusterApiCrds,
  clusterApiManager,
  createTemporaryFolder,
  type Kubernetes,
  startKubernetes,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { type Instance, startInstance } from "./scope-cluster-api.ts";

const skip = await whyUnavailable(() => clusterApiManager());
const version = "cluster.x-k8s.io/v1beta2";
const crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/clusters.cluster.x-k8s.io";
const stored = ["v1beta1", "v1beta2"];

describe("the real core of Cluster API, several times by namespaces", { skip }, () => {
  const stack = new AsyncDisposableStack();
  let kubernetes: Kubernetes;
  let folder: string;
  let first: Instance;

  before(async () => {
    kubernetes = stack.use(await startKubernetes({ private: true, controllerManager: false }));
    folder = stack.use(await createTemporaryFolder("scope")).path;
    const crds = await clusterApiCrds();
    await Promise.all(crds.map((crd) => kubernetes.applyCrd(crd)));
    for (const name of ["watch1", "watch2", "watch3", "capi1-system", "capi2-system"]) {
      await kubernetes.request("POST", "/api/v1/namespaces", { body: { metadata: { name } } });
    }
    for (const namespace of ["watch1", "watch2", "watch3", "capi1-system"]) {
      await createCluster(namespace, "before");
    }
    // As after an upgrade: some objects are still stored in the older version.
    const body = { status: { storedVersions: stored } };
    await kubernetes.request("PATCH", `${crdPath}/status`, { body });
    first = await startInstance(
      kubernetes,
      {
        name: "capi1",
        folder,
        scope: ["--namespace=watch1", "--namespace=watch2", "--own-namespace=capi1-system"],
        flags: ["--skip-crd-migration-phases=StorageVersionMigration,CleanupManagedFields"],
      },
      stack,
    );
  });
  after(() => stack.disposeAsync());

  const pathOf = (namespace: string) => `/apis/${version}/namespaces/${namespace}/clusters`;

  async function createCluster(namespace: string, name: string): Promise<void> {
    const spec = { clusterNetwork: { serviceDomain: "cluster.local" } };
    const body = { apiVersion: version, kind: "Cluster", metadata: { name }, spec };
    const answer = await kubernetes.request("POST", pathOf(namespace), { body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  }

  /** The core puts its finalizer on a Cluster, and then says how it is. */
  async function isReconciled(namespace: string, name: string): Promise<boolean> {
    first.manager.assertRunning();
    const { body } = await kubernetes.request("GET", `${pathOf(namespace)}/${name}`);
    return body.metadata.finalizers?.length > 0 && body.status?.phase !== undefined;
  }

  const reconciled = (namespace: string, name: string) =>
    waitFor(() => isReconciled(namespace, name), {
      what: `Cluster ${namespace}/${name} to be reconciled; see ${first.manager.log}`,
      timeout: 120_000,
    });

  async function storedVersions(): Promise<string[]> {
    return (await kubernetes.request("GET", crdPath)).body.status.storedVersions;
  }

  /** The namespaces whose Clusters are written by way of a proxy. */
  async function written({ proxyLog }: Instance): Promise<string[]> {
    const lines = (await proxyLog())
      .split("\n")
      .filter((line) => /"verb":"P(?:ATCH|UT)"/.test(line));
    const found = lines.flatMap((line) => /namespaces\/([^/]+)\/clusters\//.exec(line)?.[1] ?? []);
    return [...new Set(found)].sort();
  }

  test("reconciles the Clusters of its namespaces, and those that come", async () => {
    await reconciled("watch1", "before");
    await reconciled("watch2", "before");
    await createCluster("watch2", "during");
    await reconciled("watch2", "during");
  });

  test("leaves others alone: those of another's namespaces, and in its own", async () => {
    for (const namespace of ["watch3", "capi1-system"]) {
      assert.equal(await isReconciled(namespace, "before"), false);
    }
    assert.deepEqual(await written(first), ["watch1", "watch2"]);
  });

  test("leaves the stored versions alone where it is told to", async () => {
    assert.deepEqual(await storedVersions(), stored);
    assert.doesNotMatch(await first.managerLog(), /crdmigrator/);
  });

  test("has the rest reconciled by another, and would forget stored versions if it were let", async () => {
    const rest = await startInstance(
      kubernetes,
      { name: "capi2", folder, scope: ["--excluded-namespace=watch1,watch2"] },
      stack,
    );
    await reconciled("watch3", "before");
    await reconciled("capi1-system", "before");
    assert.deepEqual(await written(first), ["watch1", "watch2"]);
    // It has seen all objects that it can see, and says that one version is enough for them.
    await waitFor(
      async () =>
        /is forbidden: this instance sees only some of the objects/.test(await rest.managerLog()),
      { what: `the migrator to be refused; see ${rest.manager.log}`, timeout: 120_000 },
    );
    assert.deepEqual(await storedVersions(), stored);
    const writes = (await written(rest)).filter((namespace) => namespace.startsWith("watch"));
    assert.deepEqual(writes, ["watch3"]);
  });
});

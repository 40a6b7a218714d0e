import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { builtInResources, type KubeObject, type Resource } from "@rookery/kube";
import { type LocalServer, startLocalServer } from "@rookery/local";
import { createTemporaryFolder, runCommand, waitFor } from "@rookery/testing";

/**
 * The data folder of a server with a node, written when API server, controllers and node were still one
 * package: workloads with pods, a claim with its volume, a custom kind, and the token of a service account.
 */
const archive = join(import.meta.dirname, "testdata/data-folder.tar.gz");
/** The place of the folder in the recorded objects. */
const recordedFolder = "/data";
const namespace = "kept";
const nests: Resource = {
  group: "example.com",
  version: "v1",
  kind: "Nest",
  plural: "nests",
  singular: "nest",
  namespaced: true,
};
const images = {
  programOf: (image: string) =>
    image === "sh" ? { entrypoint: ["/bin/sh"], id: "sh" } : undefined,
  hint: "this node runs sh",
};

type Pod = KubeObject & {
  readonly status: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly { readonly restartCount: number }[];
  };
};

/** Paths of volumes are in objects. */
function moveTo(data: string): void {
  using database = new DatabaseSync(join(data, "store.sqlite"));
  const all = "SELECT revision, object FROM writes WHERE resource = 'persistentvolumes'";
  const update = database.prepare("UPDATE writes SET object = ? WHERE revision = ?");
  for (const { revision, object } of database.prepare(all).all()) {
    if (!(object instanceof Uint8Array)) continue;
    const text = Buffer.from(object).toString();
    const moved = text.replaceAll(`${recordedFolder}/volumes`, `${data}/volumes`);
    update.run(Buffer.from(moved), Number(revision));
  }
}

/** The data names its networks, which another embedded Kubernetes of the machine may have just now. */
async function startWhenFree(data: string): Promise<LocalServer> {
  try {
    return await startLocalServer({ data, port: 0, node: { images } });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "NetworksInUse")) throw error;
  }
  await delay(1_000);
  return startWhenFree(data);
}

describe("a data folder of the time before the split", () => {
  const stack = new AsyncDisposableStack();
  let data = "";
  let client: Client;

  before(async () => {
    data = join(stack.use(await createTemporaryFolder("kept-data")).path, "data");
    await mkdir(data, { mode: 0o700 });
    await runCommand("tar", ["--extract", "--gzip", "--file", archive, "--directory", data]);
    moveTo(data);
    const { kubeconfig = "" } = stack.use(await startWhenFree(data));
    client = stack.use(createClient(await loadConfig({ path: kubeconfig })));
  });
  after(() => stack.disposeAsync());

  const podsOf = async (app: string): Promise<readonly Pod[]> => {
    const options = { namespace, labelSelector: `app=${app}` };
    return (await client.resource<Pod>(builtInResources.pods).list(options)).items;
  };
  const readyPodsOf = (app: string, count: number) =>
    waitFor(
      async () => {
        const pods = await podsOf(app);
        const isReady = ({ status }: Pod) =>
          status.conditions?.some((each) => each.type === "Ready" && each.status === "True");
        const isAgain = ({ status }: Pod) => status.containerStatuses?.[0]?.restartCount === 1;
        const ready = pods.filter((pod) => isReady(pod) && isAgain(pod));
        return ready.length === count ? ready : undefined;
      },
      { what: `${count} pods of ${app} to run again`, timeout: 60_000 },
    );

  it("has its objects, those of custom kinds too", async () => {
    const key = { namespace, name: "settings" };
    const settings = await client.resource(builtInResources.configMaps).get(key);
    assert.deepEqual((settings as KubeObject & { data: unknown }).data, { answer: "42" });
    const nest = await waitFor(
      () =>
        client
          .resource(nests)
          .get({ namespace, name: "first" })
          .catch(() => undefined),
      { what: "the custom kind" },
    );
    assert.deepEqual(nest.spec, { eggs: 3 });
  });

  it("runs the pods of its Deployment again, and makes no others", async () => {
    const names = (await readyPodsOf("web", 2)).map(({ metadata }) => metadata.name);
    assert.deepEqual(names, ["web-6d6bfb67fc-2sq2d", "web-6d6bfb67fc-tdnd8"]);
    assert.equal((await podsOf("web")).length, 2);
  });

  it("gives its StatefulSet the volume with what was written to it", async () => {
    const [pod] = await readyPodsOf("store", 1);
    assert.equal(pod?.metadata.uid, "087a167c-e763-4ac0-8027-cdbe96136edf");
    const key = { namespace, name: "data-store-0" };
    const claims = client.resource<KubeObject<{ volumeName: string }>>(
      builtInResources.persistentVolumeClaims,
    );
    const { volumeName = "" } = (await claims.get(key)).spec ?? {};
    const file = join(data, "volumes", volumeName, "runs");
    // One line of the recorded run, and one of this one.
    const isWritten = async () => (await readFile(file, "utf8")) === "run\nrun\n";
    await waitFor(isWritten, { what: "the second line in the volume" });
  });

  it("knows the token of a service account, and deletes what its owner no longer keeps", async () => {
    const secrets = client.resource(builtInResources.secrets);
    const secret = await secrets.get({ namespace, name: "robot-token" });
    const { token = "" } = (secret as KubeObject & { data: Record<string, string> }).data;
    const spec = { token: Buffer.from(token, "base64").toString() };
    const review = await client
      .resource(builtInResources.tokenReviews)
      .create({ apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", metadata: {}, spec });
    assert.match(JSON.stringify(review.status), /"system:serviceaccount:kept:default"/);
    const options = { propagationPolicy: "Background" } as const;
    const deployments = client.resource(builtInResources.deployments);
    await deployments.delete({ namespace, name: "web" }, options);
    await waitFor(async () => (await podsOf("web")).length === 0, { what: "the pods to go" });
  });
});

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { rookeryImage } from "@rookery/packaging";
import {
  clusterApiManager,
  clusterApiProviders,
  clusterApiRelease,
  createTemporaryFolder,
  type KubernetesNode,
  startNode,
  whyUnavailable,
} from "@rookery/testing";
import { stringify } from "yaml";
import { run } from "../run.ts";

const version = "v1.13.6";
const coreImage = `registry.k8s.io/cluster-api/cluster-api-controller:${version}`;
const image = "docker.io/example/rookery:soak";
const skip = await whyUnavailable(clusterApiManager);

describe("npm start on a cluster that is there, with a real node", { skip }, () => {
  const stack = new AsyncDisposableStack();
  let node: KubernetesNode;
  let config: string;

  before(async () => {
    const { path } = stack.use(await createTemporaryFolder("start-on-cluster"));
    config = await writeCore(path);
    node = stack.use(await startNode());
    await node.importImage(await rookeryImage({ name: image }));
    await node.importImage({
      name: coreImage,
      entries: [{ path: "manager", source: await clusterApiManager(), mode: 0o755 }],
      entrypoint: ["/manager"],
      user: "65532:65532",
    });
  });
  after(() => stack.disposeAsync());

  const start = (...flags: readonly string[]) =>
    run(["start", `--kubeconfig=${node.kubeconfig}`, ...flags], { env: process.env as never });

  it("says where no release of the core can be had", async () => {
    const nowhere = join(config, "..", "nowhere.yaml");
    const url = "/nowhere/cluster-api/v1.13.6/core-components.yaml";
    const providers = [{ name: "cluster-api", type: "CoreProvider", url }];
    await writeFile(nowhere, stringify({ providers }));
    const { code, errors } = await start(`--image=${image}`, `--config=${nowhere}`);
    assert.equal(code, 1);
    assert.match(
      errors,
      /could not find a release of Cluster API's core.*\(--config\), or install/,
    );
  });

  it("says that no node gets its image, and the way out", async () => {
    const { code, errors } = await start("--image=127.0.0.1:1/rookery:none", `--config=${config}`);
    assert.equal(code, 1);
    assert.match(
      errors,
      /^rookery: could not bring up the plane: no node gets the image 127\.0\.0\.1:1\/rookery:none .*npm run image.*--image$/m,
    );
  });

  it("brings up the plane with Cluster API's own core, and finds it again", async () => {
    const { code, output, errors } = await start(
      `--image=${image}`,
      `--config=${config}`,
      "--wait=900",
    );
    assert.equal(code, 0, `${output}${errors}`);
    // It was declared by the start before, which did not come far.
    assert.match(output, /^ready {2}core, cluster-api, which was there before, after/m);
    assert.match(output, /^ready {2}tenant emperor, a control plane of its own, after/m);
    assert.match(output, /^waits {2}tenant adelie.*no vCenter/m);
    const kubeconfig = [`--kubeconfig=${node.kubeconfig}`];
    const tenants = await run(["get", "tenants", ...kubeconfig]);
    assert.match(tenants.output, /^emperor +4 own control plane +emperor +1\/1 +True$/m);
    const found = await run(["get", "kubeconfig", "emperor", "-n", "emperor", ...kubeconfig]);
    assert.match(found.output, /^ +server: https:/m);
    const again = await start(`--image=${image}`, `--config=${config}`);
    assert.equal(again.code, 0, `${again.output}${again.errors}`);
  });
});

/** A release of Cluster API's core on this machine, and a configuration that names it. */
async function writeCore(folder: string): Promise<string> {
  const [core] = clusterApiProviders;
  const { components, metadata } = await clusterApiRelease(core, version);
  const place = join(folder, "cluster-api", version);
  await mkdir(place, { recursive: true });
  // As releases have it.
  const released = components.replaceAll(
    "imagePullPolicy: Always",
    "imagePullPolicy: IfNotPresent",
  );
  await writeFile(join(place, core.file), released);
  await writeFile(join(place, "metadata.yaml"), metadata);
  const file = join(folder, "clusterctl.yaml");
  const providers = [{ name: core.name, type: core.kind, url: join(place, core.file) }];
  await writeFile(file, stringify({ providers }));
  return file;
}

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the templates under test are plain strings
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import type { ManagementCluster } from "../describe/management.ts";
import { run } from "../run.ts";
import { createReleaseFolder, type ReleaseFolder } from "./release.ts";

const namespace = "team";

/** What is generated with a management cluster at hand. */
export function generateSuite(management: () => ManagementCluster): void {
  let releases: ReleaseFolder;
  const make = (object: object) => management().make(object as KubeObject);

  before(async () => {
    releases = await createReleaseFolder();
    await management().serveSmall("ClusterClass", "cluster.x-k8s.io");
    const provider = { providerName: "small", type: "InfrastructureProvider", version: "v1.0.0" };
    await make({
      apiVersion: "clusterctl.cluster.x-k8s.io/v1alpha3",
      kind: "Provider",
      ...provider,
      metadata: { name: "infrastructure-small", namespace },
    });
    await make({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "templates", namespace },
      data: { template: "kind: X\nmetadata: {name: '${CLUSTER_NAME}'}\n", large: "kind: Y\n" },
    });
  });
  after(async () => {
    await releases?.[Symbol.asyncDispose]();
  });

  const env = () => ({
    SERVER: "vc.example",
    KUBERNETES_VERSION: "v1.34.0",
    KUBECONFIG: management().kubernetes.kubeconfig,
    HOME: releases.path,
  });
  const generate = (args: string) =>
    run(`generate cluster prod ${args} --config=${releases.config}`, { env: env() });
  const theirs = (args: string) =>
    releases.clusterctl(["generate", "cluster", "prod", ...args.split(" ")], { env: env() });

  for (const args of [
    `--from-config-map=templates --from-config-map-namespace=${namespace}`,
    `--from-config-map=templates --from-config-map-namespace=${namespace} --from-config-map-key=large`,
    "--flavor=classy --worker-machine-count=2",
    "--list-variables",
  ]) {
    it(`prints what clusterctl prints: ${args}`, async () => {
      const { output, errors } = await generate(args);
      assert.equal(errors, "");
      assert.equal(output, await theirs(args));
    });
  }

  it("leaves out a ClusterClass that is there already", async () => {
    assert.match((await generate("--flavor=classy")).output, /kind: ClusterClass/);
    const metadata = { name: "quick", namespace: "default" };
    await make({ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "ClusterClass", metadata });
    const { output } = await generate("--flavor=classy");
    assert.match(output, /kind: Cluster\n/);
    assert.doesNotMatch(output, /kind: ClusterClass/);
    assert.equal(output, await theirs("--flavor=classy"));
  });

  it("says what is not there", async () => {
    const why = async (args: string) => (await generate(args)).errors;
    const place = `--from-config-map-namespace=${namespace}`;
    assert.match(
      await why(`--from-config-map=templates ${place} --from-config-map-key=small`),
      /has no key "small"; its keys are: large, template;/,
    );
    assert.match(await why(`--from-config-map=none ${place}`), /there is no ConfigMap team\/none/);
    assert.match(await why("--flavor=none"), /cluster-template-none\.yaml: it is not there/);
    assert.match(
      await why("-i other"),
      /provider other is not installed; --infrastructure=other:v/,
    );
  });
}

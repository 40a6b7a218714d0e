import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createClient, loadConfig } from "@rookery/client";
import {
  clusterApiProviders,
  clusterApiRelease,
  clusterApiSource,
  createTemporaryFolder,
  PretendKubelet,
  startKubernetes,
  whyUnavailable,
} from "@rookery/testing";
import { commandsIn, Shell } from "./document.ts";
import { InstalledOperator } from "./installed-operator.ts";

const skip = await whyUnavailable(() => clusterApiSource());

test("docs/air-gap.md does what it says, with every way out closed", { skip }, async () => {
  await using kubernetes = await startKubernetes({ private: true });
  await using folder = await createTemporaryFolder("air-gap");
  await using client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
  await using _ = new PretendKubelet(client);
  const { components, metadata } = await clusterApiRelease(clusterApiProviders[0], "v1.13.6");
  await writeFile(join(folder.path, "core-components.yaml"), components);
  await writeFile(join(folder.path, "metadata.yaml"), metadata);
  const shell = await Shell.create(kubernetes, folder.path);
  const registry = "registry.example.com/mirror";
  const run = (commands: string) =>
    shell.run(`cd ${folder.path}\n${commands}`, { REGISTRY: registry });

  const [install, images, offer, declare, ...others] = await commandsIn("air-gap.md");
  assert.ok(install && images && offer && declare);
  assert.deepEqual(others, []);
  await run(install);
  await run(images);
  const operator = await InstalledOperator.find(kubernetes);
  await using replica = await operator.start({
    // Where a pod sees the ConfigMap.
    args: [`--config=${join(folder.path, "clusterctl.yaml")}`],
    env: { HTTPS_PROXY: "http://127.0.0.1:1", HTTP_PROXY: "http://127.0.0.1:1" },
  });
  await run(offer);
  await run(declare);
  replica.assertRunning();

  const imageOf = async (deployment: string, namespace: string) => {
    const path = "jsonpath={.spec.template.spec.containers[0].image}";
    return kubernetes.kubectl(["get", `deployment/${deployment}`, "-n", namespace, "-o", path]);
  };
  assert.equal(await imageOf("rookery-operator", "rookery-system"), `${registry}/rookery:0.0.0`);
  assert.equal(
    await imageOf("capi-controller-manager", "capi-system"),
    `${registry}/cluster-api/cluster-api-controller:v1.13.6`,
  );
});

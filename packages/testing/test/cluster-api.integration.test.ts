import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  clusterApiCrds,
  clusterApiProviders,
  clusterApiRelease,
  clusterApiSource,
  clusterApiVersions,
  startKubernetes,
  whyUnavailable,
} from "@rookery/testing";

const unavailable = await whyUnavailable(clusterApiSource);

test("the source of Cluster API has its components", { skip: unavailable }, async () => {
  const source = await clusterApiSource();
  assert.ok(existsSync(join(source, "metadata.yaml")));
  assert.ok(existsSync(join(source, "config", "default", "kustomization.yaml")));
});

test("the CRDs of Cluster API are those of its three providers", {
  skip: unavailable,
}, async () => {
  const names = (await clusterApiCrds()).map((crd) => crd.metadata.name);
  for (const name of [
    "clusters.cluster.x-k8s.io",
    "kubeadmconfigs.bootstrap.cluster.x-k8s.io",
    "kubeadmcontrolplanes.controlplane.cluster.x-k8s.io",
  ]) {
    assert.ok(names.includes(name), name);
  }
  assert.equal(new Set(names).size, names.length);
});

test("a CRD of Cluster API is served in all its versions", { skip: unavailable }, async () => {
  await using kubernetes = await startKubernetes({ private: true, controllerManager: false });
  const crds = await clusterApiCrds();
  const crd = crds.find(
    ({ metadata }) => metadata.name === "clusterresourcesets.addons.cluster.x-k8s.io",
  );
  assert.ok(crd);
  await kubernetes.applyCrd(crd);
  const { body } = await kubernetes.request("GET", "/apis/addons.cluster.x-k8s.io");
  assert.deepEqual(
    body.versions.map(({ version }: { version: string }) => version),
    ["v1beta2", "v1beta1"],
  );
});

test("a release of Cluster API has the images of its version", { skip: unavailable }, async () => {
  const [core] = clusterApiProviders;
  for (const version of clusterApiVersions) {
    const { components, metadata } = await clusterApiRelease(core, version);
    assert.ok(components.includes(`registry.k8s.io/cluster-api/cluster-api-controller:${version}`));
    assert.match(metadata, /kind: Metadata/);
  }
});

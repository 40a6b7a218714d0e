import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultProviders, defaultProviderUrl } from "./default-providers.ts";
import { defaultComponentsFile, providerLabel } from "./provider.ts";

test("every provider that clusterctl knows is there once", () => {
  const labels = defaultProviders().map(providerLabel);
  assert.equal(new Set(labels).size, 64);
  assert.equal(labels.length, 64);
});

test("the seed's names need no fetch configuration", () => {
  const releases = (repository: string) =>
    `https://github.com/kubernetes-sigs/${repository}/releases`;
  const urls = {
    aws: defaultProviderUrl({ kind: "InfrastructureProvider", name: "aws" }),
    core: defaultProviderUrl({ kind: "CoreProvider", name: "cluster-api" }),
    kubeadm: defaultProviderUrl({ kind: "ControlPlaneProvider", name: "kubeadm" }),
    docker: defaultProviderUrl({ kind: "InfrastructureProvider", name: "docker" }),
  };
  assert.deepEqual(urls, {
    aws: `${releases("cluster-api-provider-aws")}/latest/infrastructure-components.yaml`,
    core: `${releases("cluster-api")}/latest/core-components.yaml`,
    kubeadm: `${releases("cluster-api")}/latest/control-plane-components.yaml`,
    docker: `${releases("cluster-api")}/latest/infrastructure-components-development.yaml`,
  });
});

test("other names have no URL, not even those that objects inherit", () => {
  assert.equal(defaultProviderUrl({ kind: "InfrastructureProvider", name: "myazure" }), undefined);
  assert.equal(defaultProviderUrl({ kind: "CoreProvider", name: "constructor" }), undefined);
});

test("labels are those of clusterctl", () => {
  assert.equal(providerLabel({ kind: "CoreProvider", name: "cluster-api" }), "cluster-api");
  assert.equal(providerLabel({ kind: "IPAMProvider", name: "metal3" }), "ipam-metal3");
  assert.equal(
    providerLabel({ kind: "RuntimeExtensionProvider", name: "nutanix" }),
    "runtime-extension-nutanix",
  );
  assert.equal(defaultComponentsFile("ControlPlaneProvider"), "control-plane-components.yaml");
});

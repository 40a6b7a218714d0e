import assert from "node:assert/strict";
import { test } from "node:test";
import { clusterctlProvider } from "./provider.ts";

test("clusterctl knows an installed provider by its Provider object", () => {
  const provider = { kind: "ControlPlaneProvider", name: "kubeadm" } as const;
  assert.deepEqual(clusterctlProvider({ provider, version: "v1.13.6", namespace: "n" }), {
    apiVersion: "clusterctl.cluster.x-k8s.io/v1alpha3",
    kind: "Provider",
    metadata: {
      name: "control-plane-kubeadm",
      namespace: "n",
      labels: {
        "clusterctl.cluster.x-k8s.io": "",
        "clusterctl.cluster.x-k8s.io/core": "inventory",
        "cluster.x-k8s.io/provider": "control-plane-kubeadm",
      },
    },
    providerName: "kubeadm",
    type: "ControlPlaneProvider",
    version: "v1.13.6",
  });
});

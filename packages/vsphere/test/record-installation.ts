import { join } from "node:path";
import type { Client } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { clusterApiSource, type Kubernetes, waitFor } from "@rookery/testing";
import { systemNamespace } from "./installation.ts";

/** Writes down, as `clusterctl init` does, that the provider is installed, and what it moves. */
export async function recordInstallation(kubernetes: Kubernetes, client: Client): Promise<void> {
  const source = await clusterApiSource();
  const inventory = "cmd/clusterctl/config/crd/bases/clusterctl.cluster.x-k8s.io_providers.yaml";
  await kubernetes.kubectl(["apply", "-f", join(source, inventory)]);
  const crds = ["clusters.cluster.x-k8s.io", "machines.cluster.x-k8s.io"];
  await kubernetes.kubectl(["label", "crd", ...crds, "clusterctl.cluster.x-k8s.io="]);
  await kubernetes.kubectl([
    ...["wait", "--for=condition=Established", "crd/providers.clusterctl.cluster.x-k8s.io"],
    "--timeout=180s",
  ]);
  const provider = {
    apiVersion: "clusterctl.cluster.x-k8s.io/v1alpha3",
    kind: "Provider",
    metadata: {
      namespace: systemNamespace,
      name: "infrastructure-vsphere",
      labels: {
        "clusterctl.cluster.x-k8s.io": "",
        "clusterctl.cluster.x-k8s.io/core": "inventory",
      },
    },
    providerName: "vsphere",
    type: "InfrastructureProvider",
    version: "v0.1.0",
  };
  // A kind can be established a moment before discovery tells of it.
  const providers = await waitFor(() => client.kind<KubeObject>(provider), {
    what: "discovery of clusterctl's inventory",
  });
  await providers.create(provider);
}

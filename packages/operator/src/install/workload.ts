import { smallNodeEnvironment } from "@rookery/kube";
import type { ManagerManifestOptions } from "@rookery/runtime";
import { configuration, type Installation, operatorVersion } from "./installation.ts";

type Workload = Omit<
  ManagerManifestOptions,
  "names" | "labels" | "rules" | "namespaceRules" | "webhooks"
>;

export function operatorWorkload({ image, replicas, env, labels }: Installation): Workload {
  const { configMap, folder, file, authorities } = configuration;
  return {
    image,
    replicas,
    args: [
      "manager",
      "operator",
      "--leader-elect",
      `--image=${image}`,
      `--config=${file}`,
      `--fetch-ca-file=${authorities}`,
    ],
    servedPort: { name: "webhooks", number: 9443 },
    healthPort: "health",
    egress: forwardProxyPorts(env),
    env: { ...smallNodeEnvironment, ...env },
    deployment: { labels: { "app.kubernetes.io/version": operatorVersion } },
    pod: { affinity: spreadOverNodes(labels) },
    // Until API servers no longer call the webhooks of this pod.
    container: { lifecycle: { preStop: { sleep: { seconds: 5 } } } },
    mounts: [{ name: "configuration", folder, configMap }],
  };
}

/** The ports of HTTP proxies for fetching components. */
function forwardProxyPorts(env: Installation["env"]): number[] {
  return ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].flatMap((name) => {
    const url = URL.parse(env[name] ?? "");
    return url ? [Number(url.port || (url.protocol === "https:" ? 443 : 80))] : [];
  });
}

function spreadOverNodes(matchLabels: Installation["labels"]): object {
  const podAffinityTerm = { labelSelector: { matchLabels }, topologyKey: "kubernetes.io/hostname" };
  return {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 50, podAffinityTerm }],
    },
  };
}

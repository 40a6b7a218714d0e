import { restrictedContainer, smallNodeEnvironment } from "@rookery/kube";
import { managerAccount, managerNetworkPolicy, managerPod, managerProbes } from "@rookery/runtime";
import { configuration, type Installation, operatorVersion } from "./installation.ts";

const ports = { webhooks: 9443, metrics: 8080, health: 9440 };

/** The account, the network policy, the Service and the pods of the operator. */
export function workload(installation: Installation): readonly object[] {
  const { name, namespace, labels, replicas } = installation;
  const metadata = { name, namespace, labels };
  const webhooks = { name: "webhooks", port: 443, targetPort: "webhooks" };
  return [
    managerAccount(metadata),
    managerNetworkPolicy(metadata, {
      podLabels: labels,
      ingress: ["webhooks", "metrics"],
      egress: forwardProxyPorts(installation.env),
    }),
    {
      apiVersion: "v1",
      kind: "Service",
      metadata,
      spec: { selector: labels, ports: [webhooks] },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: {
        ...metadata,
        labels: { ...labels, "app.kubernetes.io/version": operatorVersion },
      },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podSpec(installation) },
      },
    },
  ];
}

/** The ports of the proxies through which components are fetched. */
function forwardProxyPorts(env: Installation["env"]): number[] {
  return ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].flatMap((name) => {
    const url = URL.parse(env[name] ?? "");
    return url ? [Number(url.port || (url.protocol === "https:" ? 443 : 80))] : [];
  });
}

function podSpec(installation: Installation): object {
  const { name, labels } = installation;
  const spread = { labelSelector: { matchLabels: labels }, topologyKey: "kubernetes.io/hostname" };
  return {
    ...managerPod(name),
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 50, podAffinityTerm: spread }],
      },
    },
    containers: [container(installation)],
    volumes: [
      { name: "configuration", configMap: { name: configuration.configMap, optional: true } },
    ],
  };
}

function container({ image, env }: Installation): object {
  const namespace = { valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } };
  return {
    name: "manager",
    image,
    imagePullPolicy: "IfNotPresent",
    args: [
      "manager",
      "operator",
      "--leader-elect",
      `--image=${image}`,
      `--config=${configuration.file}`,
      `--fetch-ca-file=${configuration.authorities}`,
    ],
    env: [
      { name: "POD_NAMESPACE", ...namespace },
      ...Object.entries({ ...smallNodeEnvironment, ...env }).map(([name, value]) => ({
        name,
        value,
      })),
    ],
    ports: Object.entries(ports).map(([name, containerPort]) => ({ name, containerPort })),
    volumeMounts: [{ name: "configuration", mountPath: configuration.folder, readOnly: true }],
    // Until API servers have heard that this pod answers no more webhooks.
    lifecycle: { preStop: { sleep: { seconds: 5 } } },
    ...managerProbes("health"),
    resources: { requests: { cpu: "50m", memory: "128Mi" }, limits: { memory: "512Mi" } },
    securityContext: restrictedContainer,
  };
}

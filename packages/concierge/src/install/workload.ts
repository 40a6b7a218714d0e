import { defaultSuffix } from "@rookery/group-suffix";
import { restrictedContainer, restrictedNamespace } from "@rookery/kube";
import { managerAccount, managerNetworkPolicy, managerPod, managerProbes } from "@rookery/runtime";
import type { Instance } from "./instance.ts";

const ports = { https: 10_250, metrics: 8080, health: 9440 };

/** The namespace, the account, the network policy, the Service and the pods of an instance. */
export function workload(instance: Instance): object[] {
  const { name, namespace, labels } = instance;
  const metadata = { name, namespace, labels };
  return [
    restrictedNamespace(namespace, labels),
    managerAccount(metadata),
    managerNetworkPolicy(metadata, { podLabels: labels, ingress: ["https", "metrics"] }),
    {
      apiVersion: "v1",
      kind: "Service",
      metadata,
      spec: { selector: labels, ports: [{ name: "https", port: 443, targetPort: "https" }] },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata,
      spec: {
        replicas: instance.replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podSpec(instance) },
      },
    },
  ];
}

function podSpec(instance: Instance): object {
  const { name, labels } = instance;
  const spread = { labelSelector: { matchLabels: labels }, topologyKey: "kubernetes.io/hostname" };
  return {
    ...managerPod(name),
    // Without it nobody logs in: it goes last when a node runs short.
    priorityClassName: "system-cluster-critical",
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 50, podAffinityTerm: spread }],
      },
    },
    containers: [container(instance)],
  };
}

function container(instance: Instance): object {
  return {
    name: "concierge",
    image: instance.image,
    imagePullPolicy: "IfNotPresent",
    args: ["manager", "concierge", ...managerArguments(instance)],
    env: [{ name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } }],
    ports: Object.entries(ports).map(([name, containerPort]) => ({ name, containerPort })),
    // Until API servers have heard that this pod takes no more requests.
    lifecycle: { preStop: { sleep: { seconds: 5 } } },
    ...managerProbes("health"),
    resources: { requests: { cpu: "50m", memory: "128Mi" }, limits: { memory: "512Mi" } },
    securityContext: restrictedContainer,
  };
}

function managerArguments({ name, suffix, signingSecret }: Instance): string[] {
  return [
    "--leader-elect",
    `--service=${name}`,
    `--secure-port=${ports.https}`,
    ...(suffix === defaultSuffix ? [] : [`--api-group-suffix=${suffix}`]),
    ...(signingSecret === undefined ? [] : [`--signing-secret=${signingSecret}`]),
  ];
}

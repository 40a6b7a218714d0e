import {
  managerNetworkPolicy,
  managerPod,
  managerProbes,
  restrictedContainer,
  smallNodeEnvironment,
} from "@rookery/kube";
import { names } from "./names.ts";

const ports = { "webhook-server": 9443, metrics: 8080, healthz: 9440 };
const { namespace, labels } = names;
const own = { namespace, labels, name: names.manager };
const podLabels = { ...labels, "control-plane": "controller-manager" };

/** The Service of the webhooks, the pods of the manager, and what may call them. */
export function workload(image: string): object[] {
  return [
    managerNetworkPolicy(own, { podLabels, ingress: ["webhook-server", "metrics"] }),
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { namespace, labels, name: names.webhookService },
      spec: {
        selector: podLabels,
        ports: [{ name: "webhook-server", port: 443, targetPort: "webhook-server" }],
      },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: own,
      spec: {
        replicas: 1,
        selector: { matchLabels: podLabels },
        template: { metadata: { labels: podLabels }, spec: podSpec(image) },
      },
    },
  ];
}

function podSpec(image: string): object {
  return {
    ...managerPod(names.manager),
    terminationGracePeriodSeconds: 30,
    containers: [container(image)],
  };
}

function container(image: string): object {
  return {
    name: "manager",
    image,
    imagePullPolicy: "IfNotPresent",
    args: ["manager", "core", "--leader-elect"],
    env: [
      { name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
      ...Object.entries(smallNodeEnvironment).map(([name, value]) => ({ name, value })),
    ],
    ports: Object.entries(ports).map(([name, containerPort]) => ({ name, containerPort })),
    ...managerProbes("healthz"),
    resources: { requests: { cpu: "50m", memory: "128Mi" }, limits: { memory: "512Mi" } },
    securityContext: restrictedContainer,
  };
}

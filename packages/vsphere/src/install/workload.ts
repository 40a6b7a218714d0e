import {
  managerNetworkPolicy,
  managerPod,
  managerProbes,
  restrictedContainer,
  smallNodeEnvironment,
} from "@rookery/kube";
import {
  labels,
  managerName,
  namespaceName,
  podLabels,
  webhookConfigurationName,
  webhookServiceName,
} from "./names.ts";
import { optional } from "./variables.ts";

const ports = { "webhook-server": 9443, metrics: 8080, healthz: 9440 };
const own = { namespace: namespaceName, labels };

const credentials = { name: "capv-manager-credentials", folder: "/etc/capv/credentials" };
const authorities = { name: "capv-vcenter-authorities", folder: "/etc/capv/authorities" };

/** That the manager renames its groups itself where an instance has some of its own: it needs no proxy. */
const groupFlag = { "management.cluster.x-k8s.io/group-flag": "api-group-suffix" };

/** The controller's own vCenter account, its network policy, the Service of its webhooks, and its pods. */
export function workload(image: string): object[] {
  return [
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { ...own, name: credentials.name },
      type: "Opaque",
      stringData: {
        username: optional("VSPHERE_USERNAME"),
        password: optional("VSPHERE_PASSWORD"),
        servers: optional("VSPHERE_SERVER"),
      },
    },
    managerNetworkPolicy(
      { ...own, name: managerName },
      { podLabels, ingress: ["webhook-server", "metrics"] },
    ),
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { ...own, name: webhookServiceName },
      spec: {
        selector: podLabels,
        ports: [{ name: "webhook-server", port: 443, targetPort: "webhook-server" }],
      },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { ...own, name: managerName, annotations: groupFlag },
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
    ...managerPod(managerName),
    // To log out of all vCenters.
    terminationGracePeriodSeconds: 45,
    containers: [container(image)],
    volumes: [
      { name: "credentials", secret: { secretName: credentials.name, optional: true } },
      { name: "authorities", configMap: { name: authorities.name, optional: true } },
    ],
  };
}

function container(image: string): object {
  return {
    name: "manager",
    image,
    imagePullPolicy: "IfNotPresent",
    args: [
      "manager",
      "vsphere",
      "--leader-elect",
      `--credentials-dir=${credentials.folder}`,
      `--vcenter-server=${optional("VSPHERE_VCENTER_SERVERS")}`,
      `--vcenter-ca-file=${authorities.folder}/ca.crt`,
      `--webhook-configuration=${webhookConfigurationName}`,
    ],
    env: [
      { name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
      ...Object.entries(smallNodeEnvironment).map(([name, value]) => ({ name, value })),
    ],
    ports: Object.entries(ports).map(([name, containerPort]) => ({ name, containerPort })),
    ...managerProbes("healthz"),
    resources: { requests: { cpu: "50m", memory: "128Mi" }, limits: { memory: "512Mi" } },
    securityContext: restrictedContainer,
    volumeMounts: [
      { name: "credentials", mountPath: credentials.folder, readOnly: true },
      { name: "authorities", mountPath: authorities.folder, readOnly: true },
    ],
  };
}

import { restrictedContainer, smallNodeEnvironment } from "@rookery/kube";
import { type ManagerMetadata, managerNetworkPolicy, managerPod } from "./pods.ts";

type Labels = Readonly<Record<string, string>>;

/** The Deployment of a manager, the Service that API servers call, and the network policy. */
export interface WorkloadOptions {
  readonly image: string;
  readonly args: readonly string[];
  /** The Service. */
  readonly service: string;
  /** The target port of the Service; 9443 named webhook-server by default. */
  readonly servedPort?: { readonly name: string; readonly number: number };
  /** The name of the port that serves health; healthz by default. */
  readonly healthPort?: string;
  /** TCP ports that the manager calls beside those of TLS. */
  readonly egress?: readonly number[];
  /** The labels of the pods; those of the manager by default. */
  readonly podLabels?: Labels;
  /** 1 by default. */
  readonly replicas?: number;
  /** Variables beside POD_NAMESPACE; those of a small Node process by default. */
  readonly env?: Readonly<Record<string, string>>;
  /** Further labels and annotations of the Deployment. */
  readonly deployment?: { readonly labels?: Labels; readonly annotations?: Labels };
  /** Further fields of the pod spec, such as the grace period. */
  readonly pod?: object;
  /** Further fields of the container, such as lifecycle or another name than manager. */
  readonly container?: object;
  /** Read-only folders of the container. */
  readonly mounts?: readonly Mount[];
}

/** A folder with the content of an optional Secret or ConfigMap. */
interface Mount {
  readonly name: string;
  readonly folder: string;
  readonly secret?: string;
  readonly configMap?: string;
}

const metricsPort = { name: "metrics", number: 8080 };
const webhookPort = { name: "webhook-server", number: 9443 };

/** The network policy, the Service and the Deployment of a manager. */
export function managerWorkload(manager: ManagerMetadata, options: WorkloadOptions): object[] {
  const { servedPort = webhookPort, podLabels = manager.labels, egress = [] } = options;
  const { name } = servedPort;
  const ingress = [name, metricsPort.name];
  return [
    managerNetworkPolicy(manager, { podLabels, ingress, egress }),
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { ...manager, name: options.service },
      spec: { selector: podLabels, ports: [{ name, port: 443, targetPort: name }] },
    },
    deployment(manager, options),
  ];
}

function deployment(manager: ManagerMetadata, options: WorkloadOptions): object {
  const { podLabels = manager.labels, replicas = 1, deployment: further = {} } = options;
  const { annotations } = further;
  const labels = { ...manager.labels, ...further.labels };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { ...manager, labels, ...(annotations && { annotations }) },
    spec: {
      replicas,
      selector: { matchLabels: podLabels },
      template: { metadata: { labels: podLabels }, spec: podSpec(manager, options) },
    },
  };
}

function podSpec({ name }: ManagerMetadata, options: WorkloadOptions): object {
  const volumes = options.mounts?.map(volumeOf);
  return {
    ...managerPod(name),
    ...options.pod,
    containers: [container(options)],
    ...(volumes && { volumes }),
  };
}

function volumeOf({ name, secret, configMap }: Mount): object {
  if (secret) return { name, secret: { secretName: secret, optional: true } };
  return { name, configMap: { name: configMap, optional: true } };
}

function container(options: WorkloadOptions): object {
  const { image, args, mounts, env = smallNodeEnvironment } = options;
  const { servedPort = webhookPort, healthPort = "healthz" } = options;
  const ports = [servedPort, metricsPort, { name: healthPort, number: 9440 }];
  const volumeMounts = mounts?.map(({ name, folder }) => ({
    name,
    mountPath: folder,
    readOnly: true,
  }));
  return {
    name: "manager",
    image,
    imagePullPolicy: "IfNotPresent",
    args,
    env: [
      { name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
      ...Object.entries(env).map(([name, value]) => ({ name, value })),
    ],
    ports: ports.map(({ name, number }) => ({ name, containerPort: number })),
    ...options.container,
    ...managerProbes(healthPort),
    resources: { requests: { cpu: "50m", memory: "128Mi" }, limits: { memory: "512Mi" } },
    securityContext: restrictedContainer,
    ...(volumeMounts && { volumeMounts }),
  };
}

/**
 * On a very busy node a response takes longer than a second, the default timeout of kubelets: a manager would be killed
 * repeatedly, and started later each time.
 */
const patient = { timeoutSeconds: 10 };

/**
 * The probes of a manager's container, by the name of its health port. The start may take three minutes, before liveness
 * counts; readiness is seen within two seconds.
 */
function managerProbes(port: string): object {
  const healthy = { ...patient, httpGet: { path: "/healthz", port } };
  return {
    startupProbe: { ...healthy, periodSeconds: 1, failureThreshold: 180 },
    readinessProbe: { ...patient, httpGet: { path: "/readyz", port }, periodSeconds: 2 },
    livenessProbe: { ...healthy, periodSeconds: 10 },
  };
}

import type { ObjectMeta } from "@rookery/kube";

/** What of a Pod the process node reads. */
export interface Pod {
  readonly metadata: ObjectMeta & { readonly name: string; readonly namespace: string };
  readonly spec: PodSpec;
  readonly status?: { readonly podIP?: string };
}

interface PodSpec {
  readonly nodeName?: string;
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly terminationGracePeriodSeconds?: number;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly EnvVar[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly configMapKeyRef?: KeyReference;
    readonly secretKeyRef?: KeyReference;
  };
}

/** A key of a ConfigMap or a Secret. */
export interface KeyReference {
  readonly name: string;
  readonly key: string;
}

interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string;
}

export interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string; readonly items?: readonly KeyToPath[] };
  readonly configMap?: { readonly name: string; readonly items?: readonly KeyToPath[] };
  /** Of Secrets alone, as far as tests need it. */
  readonly projected?: { readonly sources: readonly ProjectedSecret[] };
  readonly emptyDir?: object;
  readonly persistentVolumeClaim?: { readonly claimName: string };
}

interface ProjectedSecret {
  readonly secret: { readonly name: string; readonly items?: readonly KeyToPath[] };
}

export interface KeyToPath {
  readonly key: string;
  readonly path: string;
}

export interface Probe {
  readonly httpGet?: {
    readonly path?: string;
    readonly port: number | string;
    readonly scheme?: string;
  };
  readonly tcpSocket?: { readonly port: number | string };
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly failureThreshold?: number;
  readonly successThreshold?: number;
}

export interface Service {
  readonly metadata: ObjectMeta & { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly selector?: Readonly<Record<string, string>>;
    readonly publishNotReadyAddresses?: boolean;
    readonly ports?: readonly { readonly port: number; readonly targetPort?: number | string }[];
  };
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string }[] };
  };
}

export interface PersistentVolumeClaim {
  readonly metadata: ObjectMeta & { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly accessModes?: readonly string[];
    readonly storageClassName?: string;
    readonly volumeName?: string;
    readonly resources?: { readonly requests?: { readonly storage?: string } };
  };
  readonly status?: { readonly phase?: string };
}

/** A Secret or a ConfigMap. */
export interface KeyedData {
  readonly metadata: ObjectMeta & { readonly name: string; readonly namespace: string };
  readonly data?: Readonly<Record<string, string>>;
}

/** The number of a port that a probe or a Service names, by number or by name. */
export function portNumber(port: number | string, containers: readonly Container[]): number {
  if (typeof port === "number") return port;
  const ports = containers.flatMap((container) => container.ports ?? []);
  return ports.find(({ name }) => name === port)?.containerPort ?? Number(port);
}

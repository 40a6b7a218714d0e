import type { Condition, KubeObject } from "@rookery/kube";

/** The fields of Kubernetes objects that components use. */

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: object;
}

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
}

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: number; readonly scheme: string };
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly failureThreshold: number;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args: readonly string[];
  readonly env: readonly EnvVar[];
  readonly ports: readonly object[];
  readonly volumeMounts: readonly VolumeMount[];
  readonly resources: object;
  readonly securityContext: object;
  readonly startupProbe?: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly terminationMessagePolicy: string;
}

export interface PodTemplate {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly containers: readonly Container[];
    readonly volumes: readonly object[];
    readonly [field: string]: unknown;
  };
}

interface WorkloadSpec {
  readonly replicas?: number;
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly template: PodTemplate;
  readonly [field: string]: unknown;
}

interface WorkloadStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly readyReplicas?: number;
}

export type Deployment = KubeObject<
  WorkloadSpec,
  WorkloadStatus & {
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly conditions?: readonly Condition[];
  }
>;

export type StatefulSet = KubeObject<
  WorkloadSpec & {
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly partition?: number };
    };
    readonly volumeClaimTemplates?: readonly VolumeClaimTemplate[];
  },
  WorkloadStatus & { readonly currentRevision?: string; readonly updateRevision?: string }
>;

interface VolumeClaimTemplate {
  readonly metadata?: { readonly name?: string };
  readonly spec?: {
    readonly storageClassName?: string;
    readonly resources?: { readonly requests?: { readonly storage?: string } };
    readonly [field: string]: unknown;
  };
}

export type Service = KubeObject<
  {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly ports?: readonly {
      readonly port: number;
      readonly nodePort?: number;
      readonly [field: string]: unknown;
    }[];
    readonly [field: string]: unknown;
  },
  {
    readonly loadBalancer?: {
      readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[];
    };
  }
>;

export type Pod = KubeObject<
  unknown,
  {
    readonly podIP?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly (Pick<Condition, "type" | "status"> &
      Partial<Pick<Condition, "reason" | "message">>)[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly containerStatuses?: readonly ContainerStatus[];
  }
>;

export interface ContainerStatus {
  readonly name?: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

interface ContainerState {
  readonly running?: { readonly startedAt?: string };
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly terminated?: {
    readonly exitCode?: number;
    readonly reason?: string;
    readonly message?: string;
  };
}

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

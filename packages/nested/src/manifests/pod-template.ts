import { type Component, companionSecret, selectorLabels } from "../names.ts";
import type { Container, EnvVar, PodTemplate, Probe, VolumeMount } from "./kinds.ts";

/** What the programs run as: an account that exists in no image and owns nothing. */
const account = 65532;

/** Of a hash of what a program reads only when it starts, so that its pods are made anew with it. */
const inputsAnnotation = "nested.rookery.dev/inputs";

/** A Secret whose keys are files in /etc/kubernetes/pki/<folder>. */
interface MountedSecret {
  readonly folder: string;
  readonly secret: string;
  /** Only these, where there are others that the program has no use for. */
  readonly keys?: readonly string[];
}

/** Of a Secret that somebody supplied: the keys that are in it, and those that its companion has. */
interface SecretParts {
  readonly own: readonly string[];
  readonly companion: readonly string[];
}

/** The parts of supplied Secrets that lack keys, by their names. */
export type Companions = Readonly<Record<string, SecretParts>>;

export interface PodTemplateOptions {
  readonly cluster: string;
  readonly component: Component;
  readonly container: Pick<
    Container,
    | "image"
    | "command"
    | "args"
    | "ports"
    | "resources"
    | "startupProbe"
    | "livenessProbe"
    | "readinessProbe"
  >;
  readonly secrets: readonly MountedSecret[];
  readonly companions?: Companions | undefined;
  /** What a change of is followed by new pods: a hash of authorities, keys and the like. */
  readonly inputs: string;
  readonly env?: readonly EnvVar[];
  readonly volumeMounts?: readonly VolumeMount[];
  /** Beside those of the Secrets. */
  readonly volumes?: readonly object[];
  /** A capability that the image's program carries, and would not start without. */
  readonly capability?: string;
  readonly terminationGracePeriodSeconds: number;
}

export function pkiPath(folder: string, file: string): string {
  return `/etc/kubernetes/pki/${folder}/${file}`;
}

/** The pods of a component: one container, restricted, which finds its certificates in files. */
export function podTemplateOf(options: PodTemplateOptions): PodTemplate {
  const {
    cluster,
    component,
    container,
    secrets,
    companions = {},
    env = [],
    volumeMounts = [],
  } = options;
  const labels = selectorLabels(cluster, component);
  return {
    metadata: { labels, annotations: { [inputsAnnotation]: options.inputs } },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: options.terminationGracePeriodSeconds,
      securityContext: podSecurityContext,
      topologySpreadConstraints: [spreadOverNodes(labels)],
      containers: [
        {
          ...container,
          name: component,
          env: [downward("POD_IP", "status.podIP"), downward("POD_NAME", "metadata.name"), ...env],
          // Where a program ends by itself, its last words are in the pod's status.
          terminationMessagePolicy: "FallbackToLogsOnError",
          securityContext: containerSecurityContext(options.capability),
          volumeMounts: [...secrets.map(mountOf), ...volumeMounts],
        },
      ],
      volumes: [...secrets.map((one) => volumeOf(one, companions)), ...(options.volumes ?? [])],
    },
  };
}

/** A probe by HTTP at the pod's address. */
export function probe(
  httpGet: { readonly path: string; readonly port: number; readonly scheme: "HTTP" | "HTTPS" },
  { periodSeconds, failureThreshold }: Pick<Probe, "periodSeconds" | "failureThreshold">,
): Probe {
  return { httpGet, periodSeconds, timeoutSeconds: 15, failureThreshold };
}

/** Time to start: five minutes, looked at every second, so that no second is lost. */
export const startup = { periodSeconds: 1, failureThreshold: 300 };
export const liveness = { periodSeconds: 10, failureThreshold: 8 };
/** As often as kubeadm does: a Service leads to a pod once its kubelet knows that it is ready. */
export const readiness = { periodSeconds: 1, failureThreshold: 6 };

const podSecurityContext = {
  runAsNonRoot: true,
  runAsUser: account,
  runAsGroup: account,
  fsGroup: account,
  fsGroupChangePolicy: "OnRootMismatch",
  seccompProfile: { type: "RuntimeDefault" },
};

function containerSecurityContext(capability: string | undefined): object {
  return {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"], ...(capability && { add: [capability] }) },
  };
}

/** Replicas go to different nodes where there are some, and to one where there is no other. */
function spreadOverNodes(matchLabels: Readonly<Record<string, string>>): object {
  return {
    maxSkew: 1,
    topologyKey: "kubernetes.io/hostname",
    whenUnsatisfiable: "ScheduleAnyway",
    labelSelector: { matchLabels },
  };
}

function downward(name: string, fieldPath: string): EnvVar {
  return { name, valueFrom: { fieldRef: { apiVersion: "v1", fieldPath } } };
}

function mountOf({ folder }: MountedSecret): VolumeMount {
  return { name: folder, mountPath: `/etc/kubernetes/pki/${folder}`, readOnly: true };
}

/** Readable for the account's group, which is the pod's fsGroup, and for nobody else. */
const defaultMode = 0o440;

function volumeOf(
  { folder, secret: secretName, keys }: MountedSecret,
  companions: Companions,
): object {
  const parts = companions[secretName];
  if (parts)
    return { name: folder, projected: { defaultMode, sources: sourcesOf(secretName, parts) } };
  const items = keys?.map(itemOf);
  return { name: folder, secret: { secretName, defaultMode, ...(items && { items }) } };
}

/** A source without items would be the whole Secret, with its private key. */
function sourcesOf(secret: string, { own, companion }: SecretParts): object[] {
  const sources = [
    { name: secret, items: own.map(itemOf) },
    { name: companionSecret(secret), items: companion.map(itemOf) },
  ];
  return sources.flatMap((source) => (source.items.length > 0 ? [{ secret: source }] : []));
}

const itemOf = (key: string) => ({ key, path: key });

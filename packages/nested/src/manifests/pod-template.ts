import { type Component, companionSecret, selectorLabels } from "../names.ts";
import type { Container, EnvVar, PodTemplate, Probe, VolumeMount } from "./kinds.ts";

/** The account of the programs: it exists in no image and owns no files. */
const account = 65532;

/** A hash of the inputs that a program reads only at its start: a change replaces its pods. */
const inputsAnnotation = "nested.rookery.dev/inputs";

/** A Secret whose keys are files in /etc/kubernetes/pki/<folder>. */
interface MountedSecret {
  readonly folder: string;
  readonly secret: string;
  /** All keys by default. */
  readonly keys?: readonly string[];
}

/** The keys of a supplied Secret, and those of its companion. */
interface SecretParts {
  readonly own: readonly string[];
  readonly companion: readonly string[];
}

/** The parts of supplied Secrets that lack keys, by the names of the Secrets. */
export type Companions = Readonly<Record<string, SecretParts>>;

/** The values of a component that its pods depend on. */
export interface PodInputs {
  readonly cluster: string;
  readonly image: string;
  readonly revision: {
    readonly extraArgs?: readonly Argument[];
    readonly resources?: object;
  };
  /** A hash of authorities, keys and the like: a change replaces the pods. */
  readonly inputs: string;
  readonly companions?: Companions | undefined;
}

/** The program of a component. */
export interface Program extends Probes {
  readonly component: Component;
  /** The command of the image by default. */
  readonly command?: readonly string[];
  /** The arguments before the flags. */
  readonly subcommand?: readonly string[];
  readonly flags: Readonly<Record<string, string>>;
  readonly ports: Readonly<Record<string, number>>;
  /** The resource requests, unless the spec has resources. */
  readonly requests: Readonly<Record<"cpu" | "memory", string>>;
  readonly secrets: readonly MountedSecret[];
  readonly env?: readonly EnvVar[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumes?: readonly object[];
  /** A capability of the image's program, which does not start without it. */
  readonly capability?: string;
  /** 30 by default. */
  readonly terminationGracePeriodSeconds?: number;
}

export function pkiPath(folder: string, file: string): string {
  return `/etc/kubernetes/pki/${folder}/${file}`;
}

/** The pods of a component: one restricted container, with its certificates in files. */
export function podTemplateOf(inputs: PodInputs, program: Program): PodTemplate {
  const { component, command, secrets } = program;
  const { image, revision, companions = {} } = inputs;
  const labels = selectorLabels(inputs.cluster, component);
  const ports = Object.entries(program.ports);
  return {
    metadata: { labels, annotations: { [inputsAnnotation]: inputs.inputs } },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: program.terminationGracePeriodSeconds ?? 30,
      securityContext: podSecurityContext,
      topologySpreadConstraints: [spreadOverNodes(labels)],
      containers: [
        {
          name: component,
          image,
          ...(command && { command }),
          args: [...(program.subcommand ?? []), ...argumentsOf(program.flags, revision.extraArgs)],
          ports: ports.map(([name, containerPort]) => ({ name, containerPort, protocol: "TCP" })),
          resources: revision.resources ?? { requests: program.requests },
          env: [
            downward("POD_IP", "status.podIP"),
            downward("POD_NAME", "metadata.name"),
            ...(program.env ?? []),
          ],
          ...(program.startupProbe && { startupProbe: program.startupProbe }),
          livenessProbe: program.livenessProbe,
          readinessProbe: program.readinessProbe,
          // The status of the pod shows the last output of a program that failed.
          terminationMessagePolicy: "FallbackToLogsOnError",
          securityContext: containerSecurityContext(program.capability),
          volumeMounts: [...secrets.map(mountOf), ...(program.volumeMounts ?? [])],
        },
      ],
      volumes: [...secrets.map((one) => volumeOf(one, companions)), ...(program.volumes ?? [])],
    },
  };
}

type Probes = Pick<Container, "startupProbe" | "livenessProbe" | "readinessProbe">;
type ProbeTimes = Pick<Probe, "periodSeconds" | "failureThreshold">;

/** The probes of a server with /livez and /readyz, which may take minutes to start. */
export function serverProbes(
  port: number,
  scheme: "HTTP" | "HTTPS",
  readinessTimes = readiness,
): Probes {
  return {
    startupProbe: probe({ path: "/livez", port, scheme }, startup),
    livenessProbe: probe({ path: "/livez", port, scheme }, liveness),
    readinessProbe: probe({ path: "/readyz", port, scheme }, readinessTimes),
  };
}

/** A probe by HTTP at the pod's address. */
export function probe(
  httpGet: Probe["httpGet"],
  { periodSeconds, failureThreshold }: ProbeTimes,
): Probe {
  return { httpGet, periodSeconds, timeoutSeconds: 15, failureThreshold };
}

/** Five minutes to start, probed every second to lose no time. */
const startup = { periodSeconds: 1, failureThreshold: 300 };
export const liveness = { periodSeconds: 10, failureThreshold: 8 };
/** As often as kubeadm: a Service sends requests once the kubelet knows that the pod is ready. */
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

/** Replicas run on different nodes, if possible. */
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

/** Readable for the account's group, which is the pod's fsGroup. */
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

/** Never a source without items: it would mount the whole Secret, with its private key. */
function sourcesOf(secret: string, { own, companion }: SecretParts): object[] {
  const sources = [
    { name: secret, items: own.map(itemOf) },
    { name: companionSecret(secret), items: companion.map(itemOf) },
  ];
  return sources.flatMap((source) => (source.items.length > 0 ? [{ secret: source }] : []));
}

const itemOf = (key: string) => ({ key, path: key });

interface Argument {
  readonly name: string;
  readonly value: string;
}

/** The flags of a program. Extra flags replace own ones of the same name, or follow them. */
export function argumentsOf(
  own: Readonly<Record<string, string>>,
  extra: readonly Argument[] = [],
): string[] {
  const replaced = new Set(extra.map(({ name }) => name));
  const kept = Object.entries(own).flatMap(([name, value]) =>
    replaced.has(name) ? extra.filter((one) => one.name === name) : [{ name, value }],
  );
  const added = extra.filter(({ name }) => !Object.hasOwn(own, name));
  return [...kept, ...added].map(({ name, value }) => `--${name}=${value}`);
}

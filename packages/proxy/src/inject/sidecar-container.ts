import type { FieldRule, GroupMapping } from "@rookery/group-suffix";
import { smallNodeEnvironment } from "@rookery/kube";
import type { NamespaceScope } from "@rookery/runtime";
import { defaultPorts } from "../sidecar.ts";
import type { Callback } from "./callbacks.ts";
import type { Container, Volume, VolumeMount } from "./pods.ts";

export const sidecarName = "rookery-proxy";

const folders = {
  app: "/var/run/rookery-proxy/app",
  state: "/var/run/rookery-proxy/state",
  certificate: "/var/run/rookery-proxy/serving-cert",
} as const;

export const volumeNames = {
  app: `${sidecarName}-app`,
  state: `${sidecarName}-state`,
  certificate: `${sidecarName}-serving-cert`,
  account: `${sidecarName}-service-account`,
} as const;

const nobody = 65532;

export interface SidecarOptions {
  readonly image: string;
  readonly mapping: GroupMapping;
  readonly rules: readonly FieldRule[];
  readonly scope: NamespaceScope;
  /** Undefined where the app has no webhooks. */
  readonly callback: Callback | undefined;
  /** The mount of the service account, unless Kubernetes adds it. */
  readonly accountMount: VolumeMount | undefined;
  /** Whether the pod runs as root; the proxy does not. */
  readonly podIsRoot: boolean;
}

/**
 * The proxy as an init container with restartPolicy Always: starts before the app, ends after it,
 * and does not block Jobs.
 */
export function sidecarContainer(options: SidecarOptions): Container {
  const { callback } = options;
  const probe = { httpGet: { path: "/readyz", port: defaultPorts.health } };
  const ports = [
    { name: "proxy-health", containerPort: defaultPorts.health },
    ...(callback ? [{ name: "proxy-callbacks", containerPort: defaultPorts.callbacks }] : []),
  ];
  return {
    name: sidecarName,
    image: options.image,
    restartPolicy: "Always",
    args: sidecarArgs(options),
    env: Object.entries(smallNodeEnvironment).map(([name, value]) => ({ name, value })),
    ports,
    startupProbe: { ...probe, periodSeconds: 1, failureThreshold: 120 },
    readinessProbe: { ...probe, periodSeconds: 5 },
    resources: { requests: { cpu: "10m", memory: "96Mi" }, limits: { memory: "512Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      // Otherwise the image and the cluster choose the user: some clusters assign users to
      // namespaces.
      ...(options.podIsRoot && { runAsUser: nobody }),
      seccompProfile: { type: "RuntimeDefault" },
    },
    volumeMounts: sidecarMounts(options),
  };
}

function sidecarArgs({ mapping, rules, scope, callback }: SidecarOptions): string[] {
  return [
    "proxy",
    ...mapping.pairs.flatMap(mapFlags),
    ...rules.map(ruleFlag),
    ...scopeFlags(scope),
    `--app-service-account-dir=${folders.app}`,
    `--state-dir=${folders.state}`,
    ...(callback ? callbackFlags(callback) : []),
  ];
}

function mapFlags({ virtual, real, match = "suffix" }: GroupMapping["pairs"][number]): string[] {
  return [
    ...(match === "group" ? [] : [`--api-group-suffix=${virtual}=${real}`]),
    ...(match === "suffix" ? [] : [`--map=${virtual}=${real}`]),
  ];
}

function scopeFlags(scope: NamespaceScope): string[] {
  if (scope.type === "all") return [];
  const flag = scope.type === "namespaces" ? "--namespace" : "--excluded-namespace";
  return scope.namespaces.map((namespace) => `${flag}=${namespace}`);
}

function ruleFlag({ group, kind, path, form }: FieldRule): string {
  return `--rule=${group}/${kind}:${path}:${form}`;
}

function callbackFlags({ appPort }: Callback): string[] {
  return [
    `--callback-bind-address=:${defaultPorts.callbacks}`,
    `--callback-upstream=https://127.0.0.1:${appPort}`,
    // The app's certificate is for the name of its Service, not for loopback.
    "--callback-upstream-insecure",
    `--callback-cert-dir=${folders.certificate}`,
  ];
}

function sidecarMounts({ callback, accountMount }: SidecarOptions): VolumeMount[] {
  return [
    { name: volumeNames.app, mountPath: folders.app },
    { name: volumeNames.state, mountPath: folders.state },
    ...(callback
      ? [{ name: volumeNames.certificate, mountPath: folders.certificate, readOnly: true }]
      : []),
    ...(accountMount ? [accountMount] : []),
  ];
}

/** The volumes of the sidecar's mounts, beside those of the app. */
export function sidecarVolumes({ callback }: SidecarOptions): Volume[] {
  return [
    // In memory, because tokens and keys must not be on disk.
    { name: volumeNames.app, emptyDir: { medium: "Memory" } },
    { name: volumeNames.state, emptyDir: { medium: "Memory" } },
    ...(callback
      ? [{ name: volumeNames.certificate, secret: { secretName: callback.secret } }]
      : []),
  ];
}

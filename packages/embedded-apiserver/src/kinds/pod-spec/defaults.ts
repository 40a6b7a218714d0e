import type {
  Container,
  EnvVar,
  EphemeralContainer,
  Lifecycle,
  LifecycleHandler,
  PodSpec,
  PodTemplateSpec,
  Probe,
  ProjectedVolumeSource,
  Volume,
} from "@rookery/api";
import type { Field } from "../meta/field.ts";
import { roundUpResources } from "../meta/quantities.ts";

/** rw-r--r-- */
const defaultMode = 0o644;

/** Sets the defaults of a volume. A volume without a source is an emptyDir. */
function volumeDefaults(volume: Volume): void {
  const sources = Object.entries(volume).filter(([key, value]) => key !== "name" && value != null);
  if (sources.length === 0) volume.emptyDir = {};
  for (const source of [volume.secret, volume.configMap, volume.downwardAPI, volume.projected]) {
    if (source !== undefined) source.defaultMode ??= defaultMode;
  }
  if (volume.hostPath !== undefined) volume.hostPath.type ??= "";
  fieldRefDefaults(volume.downwardAPI?.items);
  projectedDefaults(volume.projected);
  if (volume.iscsi !== undefined) volume.iscsi.iscsiInterface ||= "default";
  rbdDefaults(volume);
  azureDiskDefaults(volume);
  scaleIoDefaults(volume);
  const claim = volume.ephemeral?.volumeClaimTemplate;
  if (claim !== undefined) {
    claim.spec ??= {};
    claim.spec.volumeMode ??= "Filesystem";
  }
}

type Files = readonly { fieldRef?: { apiVersion?: string } }[] | undefined;

function fieldRefDefaults(files: Files): void {
  for (const { fieldRef } of files ?? []) {
    if (fieldRef !== undefined) fieldRef.apiVersion ||= "v1";
  }
}

function projectedDefaults(projected: ProjectedVolumeSource | undefined): void {
  for (const { downwardAPI, serviceAccountToken } of projected?.sources ?? []) {
    fieldRefDefaults(downwardAPI?.items);
    if (serviceAccountToken !== undefined) serviceAccountToken.expirationSeconds ??= 3600;
  }
}

function rbdDefaults({ rbd }: Volume): void {
  if (rbd === undefined) return;
  rbd.pool ||= "rbd";
  rbd.user ||= "admin";
  rbd.keyring ||= "/etc/ceph/keyring";
}

function azureDiskDefaults({ azureDisk }: Volume): void {
  if (azureDisk === undefined) return;
  azureDisk.cachingMode ??= "ReadWrite";
  azureDisk.kind ??= "Shared";
  azureDisk.fsType ??= "ext4";
  azureDisk.readOnly ??= false;
}

function scaleIoDefaults({ scaleIO }: Volume): void {
  if (scaleIO === undefined) return;
  scaleIO.storageMode ||= "ThinProvisioned";
  scaleIO.fsType ||= "xfs";
}

/** Sets the defaults of a PodTemplateSpec. */
export function podTemplateDefaults(template: PodTemplateSpec): void {
  template.spec ??= {};
  podSpecDefaults(template.spec);
}

/** Sets the defaults of the PodSpec of a template or a pod. */
export function podSpecDefaults(spec: PodSpec): void {
  // The decoder writes null for an absent list.
  spec.containers ??= [];
  spec.dnsPolicy ||= "ClusterFirst";
  spec.restartPolicy ||= "Always";
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= "default-scheduler";
  accountDefaults(spec);
  roundUpResources(spec.overhead);
  roundUpResources(spec.resources?.limits);
  roundUpResources(spec.resources?.requests);
  for (const volume of spec.volumes ?? []) volumeDefaults(volume);
  for (const container of containersOf(spec)) containerDefaults(container);
}

/** Keeps serviceAccountName and its deprecated name equal. */
function accountDefaults(spec: PodSpec): void {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (!name) return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

type AnyContainer = Container | EphemeralContainer;

/** All containers of a pod. */
export function containersOf(spec: PodSpec): AnyContainer[] {
  return containerLists.flatMap((list): AnyContainer[] => spec[list] ?? []);
}

const containerLists = ["initContainers", "containers", "ephemeralContainers"] as const;

/** Visits all containers with their fields. `field` is that of the spec. */
export function eachContainer<S>(
  spec: PodSpec,
  field: Field<S>,
  visit: (container: AnyContainer, field: Field<S>) => void,
): void {
  for (const list of containerLists) {
    spec[list]?.forEach((container, i) => {
      visit(container, field.child(list).index(i));
    });
  }
}

function containerDefaults(container: Container | EphemeralContainer): void {
  container.imagePullPolicy ||=
    imageTag(container.image ?? "") === "latest" ? "Always" : "IfNotPresent";
  container.terminationMessagePath ||= "/dev/termination-log";
  container.terminationMessagePolicy ||= "File";
  for (const port of container.ports ?? []) port.protocol ||= "TCP";
  for (const variable of container.env ?? []) variableDefaults(variable);
  roundUpResources(container.resources?.limits);
  roundUpResources(container.resources?.requests);
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  for (const probe of [livenessProbe, readinessProbe, startupProbe]) probeDefaults(probe);
  lifecycleDefaults(lifecycle);
}

function variableDefaults({ valueFrom }: EnvVar): void {
  if (valueFrom?.fieldRef !== undefined) valueFrom.fieldRef.apiVersion ||= "v1";
}

function probeDefaults(probe: Probe | undefined): void {
  if (probe === undefined) return;
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  httpGetDefaults(probe);
  if (probe.grpc !== undefined) probe.grpc.service ??= "";
}

function lifecycleDefaults(lifecycle: Lifecycle | undefined): void {
  httpGetDefaults(lifecycle?.postStart);
  httpGetDefaults(lifecycle?.preStop);
}

function httpGetDefaults(handler: LifecycleHandler | undefined): void {
  if (handler?.httpGet === undefined) return;
  handler.httpGet.path ||= "/";
  handler.httpGet.scheme ||= "HTTP";
}

/** Parts of Docker's grammar of references. */
const host = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const domain = `(?:${host}(?:\\.${host})*|\\[(?:[a-fA-F0-9:]+)\\])(?::[0-9]+)?`;
const component = "[a-z0-9]+(?:(?:[._]|__|[-]+)[a-z0-9]+)*";
const reference = new RegExp(
  `^(?<name>(?:${domain}/)?${component}(?:/${component})*)(?::(?<tag>[\\w][\\w.-]{0,127}))?(?:@(?<digest>[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$`,
);

const maxPathLength = 255;

/** The name without the registry, with the default folder. */
function pathOf(name: string): string {
  const [first = "", ...rest] = name.split("/");
  if (rest.length === 0) return `library/${name}`;
  const isRegistry = /[.:]/.test(first) || first === "localhost" || first !== first.toLowerCase();
  return isRegistry ? rest.join("/") : name;
}

/** The tag of an image: "latest" without tag and digest, "" with only a digest or an invalid name. */
export function imageTag(image: string): string {
  const groups = /^[a-f0-9]{64}$/.test(image) ? undefined : reference.exec(image)?.groups;
  if (groups === undefined || pathOf(groups.name ?? "").length > maxPathLength) return "";
  return groups.tag ?? (groups.digest === undefined ? "latest" : "");
}

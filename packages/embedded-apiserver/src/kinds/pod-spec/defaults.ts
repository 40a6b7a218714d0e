import type {
  Container,
  EnvVar,
  EphemeralContainer,
  Lifecycle,
  LifecycleHandler,
  PodSpec,
  PodTemplateSpec,
  Probe,
} from "@rookery/api";
import { roundUpResources } from "../meta/quantities.ts";
import { imageTag } from "./image-name.ts";
import { volumeDefaults } from "./volume-defaults.ts";

/** Fills in what a PodTemplateSpec leaves out. */
export function podTemplateDefaults(template: PodTemplateSpec): void {
  template.spec ??= {};
  podSpecDefaults(template.spec);
}

/** Fills in what a PodSpec leaves out, in a template as in a pod. */
export function podSpecDefaults(spec: PodSpec): void {
  // Go writes null for a list that has to be there.
  spec.containers ??= [];
  // A pod without containers says null where it has been read; it is refused either way.
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

/** Its deprecated name says the same. */
function accountDefaults(spec: PodSpec): void {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (!name) return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

/** Every container that a pod can have. */
export function containersOf(spec: PodSpec): (Container | EphemeralContainer)[] {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec;
  return [...initContainers, ...containers, ...ephemeralContainers];
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

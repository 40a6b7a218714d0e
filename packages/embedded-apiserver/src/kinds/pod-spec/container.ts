import type { Container, ContainerPort, ContainerResizePolicy, Volume } from "@rookery/api";
import { FieldError, type FieldPath, validateDns1123Label } from "@rookery/kube";
import { invalidEach, validateChoice, validateSupported } from "../meta/field-rules.ts";
import { validatePortName, validatePortNumber } from "../meta/formats.ts";
import { validateResourceRequirements } from "../meta/resource-requirements.ts";
import { validateEnv, validateEnvFrom } from "./env.ts";
import { validateSecurityContext } from "./security-context.ts";
import { validateVolumeDevices, validateVolumeMounts } from "./volume-mounts.ts";

/** What of the pod its containers are checked against. */
export interface PodScope {
  readonly volumes: ReadonlyMap<string, Volume>;
  /** The names of the pod's resource claims. */
  readonly claims: readonly string[];
  readonly restartPolicy: string;
  readonly hostUsers: boolean;
  readonly gracePeriod: number | undefined;
}

const protocols = ["SCTP", "TCP", "UDP"];
const pullPolicies = ["Always", "IfNotPresent", "Never"];
const messagePolicies = ["File", "FallbackToLogsOnError"];

/** What all containers have in common (Go: validateContainerCommon). */
export function validateContainer(
  container: Container,
  scope: PodScope,
  path: FieldPath,
): FieldError[] {
  const { resources = {}, resizePolicy = [], securityContext } = container;
  const { terminationMessagePolicy, imagePullPolicy } = container;
  return [
    ...validateContainerNames(container, path),
    ...validateChoice(
      terminationMessagePolicy,
      messagePolicies,
      path.child("terminationMessagePolicy"),
    ),
    ...validatePorts(container.ports ?? [], path.child("ports")),
    ...validateEnv(container.env ?? [], path.child("env")),
    ...validateEnvFrom(container.envFrom ?? [], path.child("envFrom")),
    ...validateVolumeMounts(container, scope.volumes, path.child("volumeMounts")),
    ...validateVolumeDevices(container, scope.volumes, path.child("volumeDevices")),
    ...validateChoice(imagePullPolicy, pullPolicies, path.child("imagePullPolicy")),
    ...validateResourceRequirements(resources, path.child("resources"), scope),
    ...validateResizePolicy(resizePolicy, scope.restartPolicy, path.child("resizePolicy")),
    ...validateSecurityContext(securityContext, scope.hostUsers, path.child("securityContext")),
  ];
}

function validateContainerNames(
  { name = "", image = "" }: Container,
  path: FieldPath,
): FieldError[] {
  const at = path.child("name");
  return [
    ...(name === ""
      ? [FieldError.required(at, "")]
      : invalidEach(name, validateDns1123Label(name), at)),
    ...(image === "" ? [FieldError.required(path.child("image"), "")] : []),
  ];
}

function validatePorts(ports: readonly ContainerPort[], path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, i) => {
    const { name = "", containerPort = 0, hostPort = 0, protocol } = port;
    const at = path.index(i);
    return [
      ...validateName(name, names, at.child("name")),
      ...(containerPort === 0
        ? [FieldError.required(at.child("containerPort"), "")]
        : invalidEach(containerPort, validatePortNumber(containerPort), at.child("containerPort"))),
      ...(hostPort === 0
        ? []
        : invalidEach(hostPort, validatePortNumber(hostPort), at.child("hostPort"))),
      ...validateChoice(protocol, protocols, at.child("protocol")),
    ];
  });
}

function validateName(name: string, taken: Set<string>, path: FieldPath): FieldError[] {
  if (name === "") return [];
  const problems = invalidEach(name, validatePortName(name), path);
  if (problems.length > 0) return problems;
  if (taken.has(name)) return [FieldError.duplicate(path, name)];
  taken.add(name);
  return [];
}

/** Go names the list, not the item. */
function validateResizePolicy(
  policies: readonly ContainerResizePolicy[],
  podPolicy: string,
  path: FieldPath,
): FieldError[] {
  const seen = new Set<string>();
  return policies.flatMap(({ resourceName = "", restartPolicy = "" }, i) => {
    const repeated = seen.has(resourceName)
      ? [FieldError.duplicate(path.index(i), resourceName)]
      : [];
    seen.add(resourceName);
    const never = "must be 'NotRequired' when `restartPolicy` is 'Never'";
    return [
      ...repeated,
      ...validateChoice(resourceName, ["cpu", "memory"], path),
      ...validateChoice(restartPolicy, ["NotRequired", "RestartContainer"], path),
      ...(podPolicy === "Never" && restartPolicy !== "NotRequired"
        ? [FieldError.invalid(path, restartPolicy, never)]
        : []),
    ];
  });
}

/** A port of the host that more than one of these containers asks for. */
export function validateHostPorts(containers: readonly Container[], path: FieldPath): FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap(({ ports = [] }, i) =>
    ports.flatMap(({ hostPort = 0, protocol = "", hostIP = "" }, j) => {
      const key = `${protocol}/${hostIP}/${hostPort}`;
      const isTaken = hostPort !== 0 && taken.has(key);
      taken.add(key);
      const at = path.index(i).child("ports").index(j).child("hostPort");
      return isTaken ? [FieldError.duplicate(at, key)] : [];
    }),
  );
}

/** Init containers know one policy, others none. */
export function validateInitRestartPolicy(policy: string, path: FieldPath): FieldError[] {
  return validateSupported(policy, ["Always"], path);
}

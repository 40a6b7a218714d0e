import type {
  Container,
  ContainerPort,
  ContainerResizePolicy,
  EphemeralContainer,
  Volume,
} from "@rookery/api";
import {
  dns1123Label,
  forbidden,
  matches,
  oneOf,
  portName,
  portNumber,
  unique,
} from "../meta/checks.ts";
import { each, firstOf, optional, required, unlessEmpty } from "../meta/combinators.ts";
import { resourceRequirements } from "../meta/resource-requirements.ts";
import { type Rule, type Rules, ruleOf } from "../meta/rules.ts";
import { envFrom, envVar } from "./env.ts";
import { lifecycle, livenessProbe, readinessProbe } from "./probes.ts";
import { securityContext } from "./security-context.ts";
import { volumeDevices, volumeMounts } from "./volume-mounts.ts";

/** The fields of the pod that the rules of containers need. */
export interface PodScope {
  readonly volumes: ReadonlyMap<string, Volume>;
  /** The names of the pod's resource claims. */
  readonly claims: readonly string[];
  /** The names of the containers, without init and ephemeral ones. */
  readonly containerNames: ReadonlySet<string>;
  /** Those names and the names of init containers. */
  readonly otherNames: ReadonlySet<string>;
  readonly restartPolicy: string;
  readonly hostUsers: boolean;
  readonly gracePeriod: number | undefined;
}

const port: Rules<ContainerPort> = {
  name: unlessEmpty(firstOf(portName, unique)),
  containerPort: required(portNumber),
  hostPort: unlessEmpty(portNumber),
  protocol: required(oneOf("SCTP", "TCP", "UDP")),
};

const resizedResource = required(oneOf("cpu", "memory"));
const resizeRestart = required(oneOf("NotRequired", "RestartContainer"));

/** Kubernetes reports errors at the list. */
const resizePolicies: Rule<readonly ContainerResizePolicy[] | undefined, PodScope> = (
  policies,
  field,
) => {
  policies?.forEach(({ resourceName = "", restartPolicy = "" }, i) => {
    unique(resourceName, field.index(i));
    resizedResource(resourceName, field);
    resizeRestart(restartPolicy, field);
    if (field.scope.restartPolicy !== "Never" || restartPolicy === "NotRequired") return;
    field.invalid(restartPolicy, "must be 'NotRequired' when `restartPolicy` is 'Never'");
  });
};

/** Go: validateContainerCommon. */
const anyContainer: Rules<Container, PodScope> = [
  {
    name: required(dns1123Label),
    image: required(),
    terminationMessagePolicy: required(oneOf("File", "FallbackToLogsOnError")),
    ports: each(port),
    env: each(envVar),
    envFrom,
  },
  volumeMounts,
  volumeDevices,
  {
    imagePullPolicy: required(oneOf("Always", "IfNotPresent", "Never")),
    resources: optional(resourceRequirements()),
    resizePolicy: resizePolicies,
    securityContext,
  },
];

/** Go: checkHostPortConflicts. */
const hostPorts: Rule<readonly Container[]> = (containers, field) => {
  const taken = new Set<string>();
  containers.forEach(({ ports = [] }, i) => {
    ports.forEach(({ hostPort = 0, protocol = "", hostIP = "" }, j) => {
      const key = `${protocol}/${hostIP}/${hostPort}`;
      const at = field.index(i).child("ports").index(j).child("hostPort");
      if (hostPort !== 0 && taken.has(key)) at.duplicate(key);
      taken.add(key);
    });
  });
};

const hooks: Rules<Container, PodScope> = {
  lifecycle,
  livenessProbe,
  readinessProbe,
  startupProbe: livenessProbe,
};

/** Go: validateContainers. */
export const containers = required<readonly Container[], PodScope>([
  each<Container, PodScope>([
    anyContainer,
    { name: unique },
    hooks,
    { restartPolicy: forbidden("may not be set for non-init containers") },
  ]),
  hostPorts,
]);

const initName: Rule<string | undefined, PodScope> = (name = "", field) => {
  const isTaken = field.scope.containerNames.has(name);
  if (isTaken || (name !== "" && field.isRepeated(name))) field.duplicate(name);
};

const onlyForSidecars = forbidden(
  "may not be set for init containers without restartPolicy=Always",
);
const initContainer = ruleOf<Container, PodScope>([
  anyContainer,
  { restartPolicy: optional(oneOf("Always")), name: initName },
]);
const sidecarHooks = ruleOf<Container, PodScope>(hooks);
const initHooks = ruleOf<Container, PodScope>({
  lifecycle: onlyForSidecars,
  livenessProbe: onlyForSidecars,
  readinessProbe: onlyForSidecars,
  startupProbe: onlyForSidecars,
});

/** Go: validateInitContainers. Host ports are reported as those of the first container. */
export const initContainers: Rule<readonly Container[] | undefined, PodScope> = (items, field) => {
  items?.forEach((container, i) => {
    const at = field.index(i);
    initContainer(container, at);
    hostPorts([container], field);
    if (container.restartPolicy === "Always") sidecarHooks(container, at);
    else initHooks(container, at);
  });
};

/** Only pods have this rule, not templates. */
export const imageWithoutSpaces = matches(
  (image) => image === image.trim(),
  "must not have leading or trailing whitespace",
);

const notForEphemeral = forbidden("cannot be set for an Ephemeral Container");

/** The decoder always sets resources; they can be empty. */
const noResources: Rule<object | undefined> = (resources, field) => {
  if (Object.keys(resources ?? {}).length > 0) notForEphemeral(resources, field);
};

/** Go: validateEphemeralContainers. */
export const ephemeralContainers = each<EphemeralContainer, PodScope>([
  anyContainer,
  {
    image: imageWithoutSpaces,
    name: (name = "", field) => {
      if (field.scope.otherNames.has(name) || field.isRepeated(name)) field.duplicate(name);
    },
    targetContainerName: unlessEmpty((target, field) => {
      if (!field.scope.otherNames.has(target)) field.notFound(target);
    }),
    ports: notForEphemeral,
    resources: noResources,
    resizePolicy: notForEphemeral,
    restartPolicy: notForEphemeral,
    restartPolicyRules: notForEphemeral,
    livenessProbe: notForEphemeral,
    readinessProbe: notForEphemeral,
    startupProbe: notForEphemeral,
    lifecycle: notForEphemeral,
    volumeMounts: each({
      subPath: unlessEmpty(notForEphemeral),
      subPathExpr: unlessEmpty(notForEphemeral),
    }),
  },
]);

import type { Container, ContainerPort, ContainerResizePolicy, Volume } from "@rookery/api";
import { dns1123Label, oneOf, portName, portNumber, unique } from "../meta/checks.ts";
import { each, firstOf, optional, required, unlessEmpty } from "../meta/combinators.ts";
import { resourceRequirements } from "../meta/resource-requirements.ts";
import type { Rule, Rules } from "../meta/rules.ts";
import { envFrom, envVar } from "./env.ts";
import { securityContext } from "./security-context.ts";
import { volumeDevices, volumeMounts } from "./volume-mounts.ts";

/** The fields of the pod that its containers are checked against. */
export interface PodScope {
  readonly volumes: ReadonlyMap<string, Volume>;
  /** The names of the pod's resource claims. */
  readonly claims: readonly string[];
  /** The names of its containers, without those that run before or beside them. */
  readonly containerNames: ReadonlySet<string>;
  /** Those and the names of the containers that run first. */
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

/** Kubernetes reports the list, not the item. */
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
export const anyContainer: Rules<Container, PodScope> = [
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
export const hostPorts: Rule<readonly Container[]> = (containers, field) => {
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

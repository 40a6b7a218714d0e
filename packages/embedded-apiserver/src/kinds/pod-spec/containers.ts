import type { Container, EphemeralContainer } from "@rookery/api";
import { forbidden, matches, oneOf, unique } from "../meta/checks.ts";
import { each, optional, required, unlessEmpty } from "../meta/combinators.ts";
import { type Rule, type Rules, ruleOf } from "../meta/rules.ts";
import { anyContainer, hostPorts, type PodScope } from "./container.ts";
import { lifecycle, livenessProbe, readinessProbe } from "./probes.ts";

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

/** Pods are stricter than templates here. */
export const imageWithoutSpaces = matches(
  (image) => image === image.trim(),
  "must not have leading or trailing whitespace",
);

const notForEphemeral = forbidden("cannot be set for an Ephemeral Container");

/** Resources are always there, and may be empty. */
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

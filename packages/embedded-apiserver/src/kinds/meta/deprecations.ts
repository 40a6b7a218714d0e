import type { Rule } from "./rules.ts";

/** Warns about annotations that have a message in the table. */
export function deprecatedAnnotations(
  messages: Readonly<Record<string, string>>,
): Rule<Readonly<Record<string, string>> | undefined> {
  return (annotations = {}, field) => {
    for (const [key, message] of Object.entries(messages)) {
      if (annotations[key] !== undefined) field.key(key).warn(message);
    }
  };
}

const nodeLabels: ReadonlyMap<string | undefined, string> = new Map([
  ["beta.kubernetes.io/arch", 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ["beta.kubernetes.io/os", 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  [
    "failure-domain.beta.kubernetes.io/region",
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  ],
  [
    "failure-domain.beta.kubernetes.io/zone",
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  ],
  [
    "beta.kubernetes.io/instance-type",
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  ],
  ["app.kubernetes.io/created-by", "deprecated since v1.9"],
  [
    "scheduler.alpha.kubernetes.io/preferAvoidPods",
    "deprecated since v1.22; use Taints and Tolerations instead",
  ],
  ["node-role.kubernetes.io/master", 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** Warns about a node label that has a newer name. */
export const deprecatedNodeLabel: Rule<string | undefined> = (label, field) => {
  const message = nodeLabels.get(label);
  if (message !== undefined) field.warn(message);
};

/** The same warning with the label in its text, for fields whose path does not contain the label. */
export const namedNodeLabel: Rule<string | undefined> = (label, field) => {
  const message = nodeLabels.get(label);
  if (message !== undefined) field.warn(`${label} is ${message}`);
};

import {
  type Component,
  type ComponentKey,
  type Container,
  isCrd,
  isWebhookConfiguration,
  type PolicyRule,
} from "@rookery/components";
import { firstInstanceAnnotation } from "../../components/watch-annotation.ts";

interface Role extends Component {
  readonly rules?: readonly PolicyRule[];
}

/** The name of an instance's own webhook configuration, which is cluster-scoped. */
export function ownConfigurationName(name: string, namespace: string): string {
  return `${name}-${namespace}`;
}

export function configurationNames(components: readonly Component[]): readonly string[] {
  return components.filter(isWebhookConfiguration).map(({ metadata }) => metadata.name ?? "");
}

/** The shared ClusterRole, with the webhook configurations of all instances that it is bound to. */
export function withConfigurationRights(
  component: Component,
  configurations: readonly string[],
  namespaces: readonly string[],
): Component {
  const { rules } = component as Role;
  if (component.kind !== "ClusterRole" || rules === undefined) return component;
  const named = rules.map((rule) => withOwnNames(rule, configurations, namespaces));
  return { ...component, rules: named } as Component;
}

/** A rule for webhook configurations, with the names that they have in some instances. */
export function withOwnNames(
  rule: PolicyRule,
  configurations: readonly string[],
  namespaces: readonly string[],
): PolicyRule {
  const { resources = [], resourceNames = [] } = rule;
  const isMeant = resources.some((resource) => resource.endsWith("webhookconfigurations"));
  // A rule without names would allow all webhook configurations.
  if (!isMeant || resourceNames.length === 0 || namespaces.length === 0) return rule;
  const own = (name: string) =>
    configurations.includes(name)
      ? namespaces.map((namespace) => ownConfigurationName(name, namespace))
      : [name];
  return { ...rule, resourceNames: resourceNames.flatMap(own) };
}

/** A container whose arguments have the names of its instance's webhook configurations. */
export function withOwnArguments(
  container: Container,
  configurations: readonly string[],
  namespace: string,
): Container {
  const { args } = container;
  if (args === undefined) return container;
  const own = (arg: string) => {
    const name = configurations.find((one) => arg === one || arg.endsWith(`=${one}`));
    return name === undefined ? arg : ownConfigurationName(arg, namespace);
  };
  return { ...container, args: args.map(own) };
}

export interface InstanceTarget {
  readonly namespace: string;
  readonly name: string;
  readonly label: string;
  /** Flags for a manager that does not see all objects. */
  readonly flags: Readonly<Record<string, string>>;
}

/** Cluster-scoped objects without a name of the instance's own, such as CRDs. */
export function isShared(
  { kind, name, namespace }: Pick<ComponentKey, "kind" | "name" | "namespace">,
  ownNamespace: string,
): boolean {
  if (namespace !== undefined || kind === "Namespace") return false;
  return !kind.endsWith("WebhookConfiguration") && !name.endsWith(`:${ownNamespace}`);
}

/** The name of an instance's own cluster-scoped object; only objects of RBAC may have a colon in it. */
export function ownName(name: string, ownNamespace: string): string {
  return `${name}:${ownNamespace}`;
}

/** A CRD with the name of the instance that serves its conversion. */
export function withFirstInstance(component: Component, first: string): Component {
  if (!isCrd(component)) return component;
  const { metadata } = component;
  const annotations = { ...metadata.annotations, [firstInstanceAnnotation]: first };
  return { ...component, metadata: { ...metadata, annotations } };
}

import {
  type Component,
  type Container,
  isWebhookConfiguration,
  type PolicyRule,
} from "@rookery/components";

interface Role extends Component {
  readonly rules?: readonly PolicyRule[];
}

/** What a webhook configuration is called in an instance: it is in no namespace, and each has its own. */
export function ownConfigurationName(name: string, namespace: string): string {
  return `${name}-${namespace}`;
}

/** The webhook configurations among components, as these call them. */
export function configurationNames(components: readonly Component[]): readonly string[] {
  return components.filter(isWebhookConfiguration).map(({ metadata }) => metadata.name ?? "");
}

/** The shared ClusterRole, with rights on the webhook configurations of all instances that it is bound to. */
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

/** A rule that names webhook configurations, for those of the instances in some namespaces. */
export function withOwnNames(
  rule: PolicyRule,
  configurations: readonly string[],
  namespaces: readonly string[],
): PolicyRule {
  const { resources = [], resourceNames = [] } = rule;
  const isMeant = resources.some((resource) => resource.endsWith("webhookconfigurations"));
  // A rule must not lose all its names: it would allow everything then.
  if (!isMeant || resourceNames.length === 0 || namespaces.length === 0) return rule;
  const own = (name: string) =>
    configurations.includes(name)
      ? namespaces.map((namespace) => ownConfigurationName(name, namespace))
      : [name];
  return { ...rule, resourceNames: resourceNames.flatMap(own) };
}

/** A container whose arguments name the webhook configurations of its instance: it puts its authority there. */
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

import {
  type Component,
  type Container,
  flagsOf,
  isWorkload,
  type Workload,
  withRepeatedFlag,
} from "@rookery/components";
import type { NamespaceScope } from "@rookery/runtime";
import { instancePodLabel, watchAnnotation } from "../../components/watch-annotation.ts";
import { sidecarName } from "../images.ts";
import { withOwnArguments } from "./configuration-names.ts";

/** The container of a provider's controllers, by clusterctl's contract. */
const managerName = "manager";

interface Narrowing {
  readonly scope: NamespaceScope;
  readonly by: "flag" | "proxy";
  /** The value of the label cluster.x-k8s.io/provider. */
  readonly label: string;
  /** Flags of the manager beside those of the scope. */
  readonly flags: Readonly<Record<string, string>>;
  /** The namespace of the instance. */
  readonly namespace: string;
  /** The names of webhook configurations in the components. */
  readonly configurations: readonly string[];
}

interface Template {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: Workload["spec"]["template"]["spec"];
}

/** A workload whose pods have an annotation with their scope, and whose containers have the flags for it. */
export function withScope(component: Component, narrowing: Narrowing): Component {
  if (!isWorkload(component) || component.kind === "Job") return component;
  const { spec } = component;
  const template = spec.template as Template;
  const { scope } = narrowing;
  const isIdle = scope.type === "namespaces" && scope.namespaces.length === 0;
  const isFenced = component.kind !== "Deployment" || electsLeader(template.spec.containers ?? []);
  return {
    ...component,
    spec: {
      ...spec,
      ...(isIdle && component.kind !== "DaemonSet" && { replicas: 0 }),
      // Without leader election, old and new pods would work at the same time.
      ...(!isFenced && { strategy: { type: "Recreate" } }),
      template: {
        ...template,
        metadata: withMarks(template.metadata ?? {}, narrowing),
        spec: { ...template.spec, ...withContainers(template.spec, narrowing) },
      },
    },
  };
}

function electsLeader(containers: readonly Container[]): boolean {
  return containers.some((container) => {
    const flags = flagsOf(container);
    const value = flags.get("leader-elect") ?? flags.get("enable-leader-election");
    return value !== undefined && value !== "false";
  });
}

function withMarks(metadata: NonNullable<Template["metadata"]>, { scope, label }: Narrowing) {
  return {
    ...metadata,
    labels: { ...metadata.labels, [instancePodLabel]: label },
    annotations: { ...metadata.annotations, [watchAnnotation]: JSON.stringify(scope) },
  };
}

function withContainers(
  { containers = [], initContainers }: Template["spec"],
  narrowing: Narrowing,
): Partial<Template["spec"]> {
  const { configurations, namespace } = narrowing;
  const change = (container: Container) =>
    narrowed(withOwnArguments(container, configurations, namespace), narrowing);
  return {
    containers: containers.map(change),
    ...(initContainers && { initContainers: initContainers.map(change) }),
  };
}

/** A proxy that renames API groups takes the same flags for the scope. */
function narrowed(container: Container, { scope, by, flags }: Narrowing): Container {
  const isManager = container.name === managerName;
  if (!isManager && container.name !== sidecarName) return container;
  const own = isManager
    ? Object.entries(flags).reduce(
        (changed, [name, value]) => withRepeatedFlag(changed, name, [value]),
        container,
      )
    : container;
  const hasScope = isManager === (by === "flag");
  const named = (type: NamespaceScope["type"]) =>
    hasScope && scope.type === type && scope.type !== "all" ? scope.namespaces : [];
  const selected = withRepeatedFlag(own, "namespace", named("namespaces"));
  return withRepeatedFlag(selected, "excluded-namespace", named("excluded"));
}

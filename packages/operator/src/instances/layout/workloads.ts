import {
  type Component,
  type Container,
  flagsOf,
  isWorkload,
  type Workload,
  withRepeatedFlag,
} from "@rookery/components";
import type { ObjectMeta } from "@rookery/kube";
import type { NamespaceScope } from "@rookery/runtime";
import { instancePodLabel, watchAnnotation } from "../../components/watch-annotation.ts";
import type { InstanceLayout } from "../../state/install-state.ts";
import { sidecarName } from "../images.ts";
import type { InstanceTarget } from "./names.ts";
import { withOwnArguments } from "./names.ts";

/** The container of a provider's controllers, by clusterctl's contract. */
const managerName = "manager";

interface Narrowing {
  readonly layout: Pick<InstanceLayout, "scope" | "by">;
  readonly instance: InstanceTarget;
  readonly configurations: readonly string[];
}

type PodSpec = Workload["spec"]["template"]["spec"];

interface Template {
  readonly metadata?: Pick<ObjectMeta, "labels" | "annotations">;
  readonly spec: PodSpec;
}

/** A workload whose pods have an annotation with their scope, and whose containers have the flags for it. */
export function withScope(component: Component, narrowing: Narrowing): Component {
  if (!isWorkload(component) || component.kind === "Job") return component;
  const { spec } = component;
  const template = spec.template as Template;
  const { scope } = narrowing.layout;
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
        metadata: {
          ...template.metadata,
          labels: { ...template.metadata?.labels, [instancePodLabel]: narrowing.instance.label },
          annotations: {
            ...template.metadata?.annotations,
            [watchAnnotation]: JSON.stringify(scope),
          },
        },
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

function withContainers(
  { containers = [], initContainers }: PodSpec,
  narrowing: Narrowing,
): Partial<PodSpec> {
  const { configurations, instance } = narrowing;
  const change = (container: Container) =>
    narrowed(withOwnArguments(container, configurations, instance.namespace), narrowing);
  return {
    containers: containers.map(change),
    ...(initContainers && { initContainers: initContainers.map(change) }),
  };
}

/** A proxy that renames API groups takes the same flags for the scope. */
function narrowed(container: Container, { layout, instance }: Narrowing): Container {
  const { scope, by } = layout;
  const isManager = container.name === managerName;
  if (!isManager && container.name !== sidecarName) return container;
  const own = isManager
    ? Object.entries(instance.flags).reduce(
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

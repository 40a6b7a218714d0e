import { type Component, type ComponentKey, isCrd } from "@rookery/components";
import { firstInstanceAnnotation } from "../../components/watch-annotation.ts";

export interface InstanceTarget {
  readonly namespace: string;
  readonly name: string;
  /** The value of the label cluster.x-k8s.io/provider. */
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

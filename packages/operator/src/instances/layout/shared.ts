import { type Component, type ComponentKey, isCrd } from "@rookery/components";
import { firstInstanceAnnotation } from "../../components/watch-annotation.ts";

/**
 * Whether all instances of a provider share an object: what is in no namespace, but webhook
 * configurations, the Namespace and what carries the instance's own name behind a colon.
 */
export function isShared(
  { kind, name, namespace }: Pick<ComponentKey, "kind" | "name" | "namespace">,
  ownNamespace: string,
): boolean {
  if (namespace !== undefined || kind === "Namespace") return false;
  return !kind.endsWith("WebhookConfiguration") && !name.endsWith(`:${ownNamespace}`);
}

/** What an object in no namespace is called in an instance of its own; only RBAC has such names. */
export function ownName(name: string, ownNamespace: string): string {
  return `${name}:${ownNamespace}`;
}

/** A CRD that says which instance converts. */
export function withFirstInstance(component: Component, first: string): Component {
  if (!isCrd(component)) return component;
  const { metadata } = component;
  const annotations = { ...metadata.annotations, [firstInstanceAnnotation]: first };
  return { ...component, metadata: { ...metadata, annotations } };
}

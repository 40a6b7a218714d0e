import type { Component } from "../documents/documents.ts";

/**
 * A ClusterRole without the rules that the control plane fills in: whoever applied its empty list
 * would take all rights from the manager, until they are filled in again.
 */
export function withoutAggregatedRules(component: Component): Component {
  if (component.kind !== "ClusterRole" || !component.aggregationRule) return component;
  const { rules: _, ...role } = component;
  return role as Component;
}

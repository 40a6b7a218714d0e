import { parseApiVersion } from "@rookery/kube";
import type { Component } from "../documents/documents.ts";
import type { Problem } from "../errors.ts";
import { describeComponent, groupOf } from "./component-shapes.ts";
import type { KindLookup } from "./known-kinds.ts";
import { malformedAnnotations, namespaceReferences } from "./references.ts";

/** The namespace that components are written for: that of their Namespace, else the one they use. */
export function ownNamespace(
  components: readonly Component[],
  lookup: KindLookup,
): { readonly namespace?: string; readonly problems: readonly Problem[] } {
  const declared = components.filter((component) => isNamespace(component));
  const names = declared.map(({ metadata }) => metadata.name ?? "");
  const used = components
    .filter((component) => lookup(component)?.namespaced)
    .flatMap(({ metadata }) => metadata.namespace || []);
  const candidates = names.length > 0 ? names : [...new Set(used)];
  const [namespace] = candidates;
  if (candidates.length <= 1) return { ...(namespace && { namespace }), problems: [] };
  const message = `the components are for several namespaces (${candidates.join(", ")}); a provider lives in one`;
  return { problems: [{ reason: "SeveralNamespaces", message }] };
}

/** The problems of components, independent of a spec. */
export function checkComponents(
  components: readonly Component[],
  { lookup, own }: { readonly lookup: KindLookup; readonly own: string | undefined },
): readonly Problem[] {
  return [
    ...components.flatMap((component) => checkKind(component, lookup)),
    ...findDuplicates(components),
    ...components.flatMap(checkAnnotations),
    ...(own === undefined ? [] : components.flatMap((one) => checkReach(one, own, lookup))),
  ];
}

/** Providers must not declare providers: their deletion would wait for itself. */
const operatorGroup = "management.cluster.x-k8s.io";

function checkKind(component: Component, lookup: KindLookup): Problem[] {
  const object = describeComponent(component);
  if (parseApiVersion(component.apiVersion).group === operatorGroup) {
    const message = `${object} (${component.apiVersion}) declares a provider: components may not hold one; declare it beside this provider`;
    return [{ reason: "UnsupportedKind", message, object }];
  }
  if (lookup(component)) return [];
  const message = `${object} (${component.apiVersion}) is of a kind that nobody serves: install the provider or the CustomResourceDefinition that defines it first`;
  return [{ reason: "UnsupportedKind", message, object }];
}

function checkReach(component: Component, own: string, lookup: KindLookup): Problem[] {
  const { metadata } = component;
  const object = describeComponent(component);
  const problem = (what: string, namespace: string): Problem => ({
    reason: "OutsideNamespace",
    message: `${object} reaches outside of its namespace ${own}: ${what} is in ${namespace}`,
    object,
  });
  const isOutside =
    lookup(component)?.namespaced && metadata.namespace && metadata.namespace !== own;
  const outside = namespaceReferences(component).filter(({ namespace }) => namespace !== own);
  return [
    ...(isOutside ? [problem("it", metadata.namespace ?? "")] : []),
    ...outside.map(({ field, namespace }) => problem(field, namespace)),
  ];
}

function checkAnnotations(component: Component): Problem[] {
  const object = describeComponent(component);
  return malformedAnnotations(component).map((annotation) => ({
    reason: "InvalidObject",
    message: `${object} has no namespace/name in its annotation ${annotation}`,
    object,
  }));
}

function findDuplicates(components: readonly Component[]): Problem[] {
  const seen = new Set<string>();
  return components.flatMap((component) => {
    const object = describeComponent(component);
    const key = `${groupOf(component)} ${object}`;
    const isSeen = seen.has(key);
    seen.add(key);
    const message = `${object} is there twice`;
    return isSeen ? [{ reason: "DuplicateObject", message, object }] : [];
  });
}

export function isNamespace(component: Component): boolean {
  return component.kind === "Namespace" && groupOf(component) === "";
}

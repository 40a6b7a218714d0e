import type { Component } from "../documents/documents.ts";
import { isBinding, mapClientConfigs } from "./component-shapes.ts";

const injectionAnnotations = [
  "cert-manager.io/inject-ca-from",
  "cert-manager.io/inject-ca-from-secret",
] as const;

/** A field or annotation of a component that names a namespace. */
export interface NamespaceReference {
  readonly field: string;
  readonly namespace: string;
}

/** All references of a component to a namespace, except its own. */
export function namespaceReferences(component: Component): readonly NamespaceReference[] {
  const references: NamespaceReference[] = [];
  mapReferences(component, (reference) => {
    if (reference.namespace !== "") references.push(reference);
    return reference.namespace;
  });
  return references;
}

/** The component with all its references changed to a namespace. */
export function withReferencesTo(component: Component, namespace: string): Component {
  return mapReferences(component, () => namespace);
}

function mapReferences(
  component: Component,
  change: (reference: NamespaceReference) => string,
): Component {
  const annotated = mapAnnotations(component, change);
  if (isBinding(annotated)) {
    const subjects = annotated.subjects?.map((subject, index) => {
      const { namespace } = subject;
      if (!namespace) return subject;
      return { ...subject, namespace: change({ field: `subjects[${index}]`, namespace }) };
    });
    return { ...annotated, ...(subjects && { subjects }) };
  }
  return mapClientConfigs(annotated, (config, field) => {
    const { service } = config;
    if (!service) return config;
    const namespace = change({ field, namespace: service.namespace ?? "" });
    return { ...config, service: { ...service, namespace } };
  });
}

function mapAnnotations(
  component: Component,
  change: (reference: NamespaceReference) => string,
): Component {
  const { annotations } = component.metadata;
  const changed = injectionAnnotations.flatMap((annotation) => {
    const [namespace, name] = annotations?.[annotation]?.split("/") ?? [];
    if (!namespace || !name) return [];
    return [[annotation, `${change({ field: `annotation ${annotation}`, namespace })}/${name}`]];
  });
  if (changed.length === 0) return component;
  const renamed = { ...annotations, ...Object.fromEntries(changed) };
  return { ...component, metadata: { ...component.metadata, annotations: renamed } };
}

/** The annotations that name a Certificate or Secret in another form than "namespace/name". */
export function malformedAnnotations({ metadata }: Component): readonly string[] {
  return injectionAnnotations.filter((annotation) => {
    const value = metadata.annotations?.[annotation];
    return value !== undefined && !/^[^/]+\/[^/]+$/.test(value);
  });
}

/**
 * An object of an external kind, with its references to one namespace changed to another: fields named
 * "namespace", "namespace/name" in annotations, and DNS names of Services.
 */
export function withNamespace(
  component: Component,
  from: string | undefined,
  to: string,
): Component {
  if (from === undefined || from === to) return component;
  const { metadata, ...rest } = component;
  const annotations = Object.entries(metadata.annotations ?? {}).map(([key, value]) => [
    key,
    `${value}`.startsWith(`${from}/`) ? `${to}${`${value}`.slice(from.length)}` : value,
  ]);
  const change = (value: unknown, key?: string): unknown => {
    if (typeof value === "string") {
      return key === "namespace" && value === from
        ? to
        : value.replaceAll(`.${from}.svc`, () => `.${to}.svc`);
    }
    if (Array.isArray(value)) return value.map((item) => change(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, change(one, name)]),
    );
  };
  const changed = change(rest) as Omit<Component, "metadata">;
  const annotated = metadata.annotations && { annotations: Object.fromEntries(annotations) };
  return { ...changed, metadata: { ...metadata, ...annotated } } as Component;
}

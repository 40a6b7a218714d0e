import type { Component } from "../documents/documents.ts";
import { isBinding, isCrd, isWebhookConfiguration } from "./component-shapes.ts";

const injectionAnnotations = [
  "cert-manager.io/inject-ca-from",
  "cert-manager.io/inject-ca-from-secret",
] as const;

/** A place in a component that names a namespace. */
export interface NamespaceReference {
  readonly field: string;
  readonly namespace: string;
}

/** Every namespace that a cluster-wide or namespaced component refers to, beside its own. */
export function namespaceReferences(component: Component): readonly NamespaceReference[] {
  return [...annotationReferences(component), ...fieldReferences(component)];
}

function annotationReferences({ metadata }: Component): NamespaceReference[] {
  return injectionAnnotations.flatMap((annotation) => {
    const [namespace, name] = metadata.annotations?.[annotation]?.split("/") ?? [];
    return namespace && name ? [{ field: `annotation ${annotation}`, namespace }] : [];
  });
}

function fieldReferences(component: Component): NamespaceReference[] {
  const reference = (field: string, namespace: string | undefined) =>
    namespace ? [{ field, namespace }] : [];
  if (isBinding(component)) {
    const subjects = component.subjects ?? [];
    return subjects.flatMap(({ namespace }, index) => reference(`subjects[${index}]`, namespace));
  }
  if (isWebhookConfiguration(component)) {
    return (component.webhooks ?? []).flatMap(({ clientConfig }, index) =>
      reference(`webhooks[${index}].clientConfig.service`, clientConfig?.service?.namespace),
    );
  }
  if (component.kind === "APIService") {
    const { service } = Object(component.spec) as { service?: { namespace?: string } };
    return reference("spec.service", service?.namespace);
  }
  const webhook = isCrd(component) ? component.spec.conversion?.webhook : undefined;
  return reference("spec.conversion.webhook", webhook?.clientConfig?.service?.namespace);
}

/** The component with every reference to a namespace turned to another one. */
export function withReferencesTo(component: Component, namespace: string): Component {
  const annotated = withAnnotations(component, namespace);
  if (isBinding(annotated)) {
    const subjects = annotated.subjects?.map((subject) =>
      subject.namespace ? { ...subject, namespace } : subject,
    );
    return { ...annotated, ...(subjects && { subjects }) };
  }
  if (isWebhookConfiguration(annotated)) {
    const webhooks = annotated.webhooks?.map((webhook) => ({
      ...webhook,
      ...(webhook.clientConfig && { clientConfig: withService(webhook.clientConfig, namespace) }),
    }));
    return { ...annotated, ...(webhooks && { webhooks }) };
  }
  if (annotated.kind === "APIService") {
    return { ...annotated, spec: withService(Object(annotated.spec), namespace) };
  }
  return isCrd(annotated) ? withConversion(annotated, namespace) : annotated;
}

function withAnnotations(component: Component, namespace: string): Component {
  const { annotations } = component.metadata;
  const changed = injectionAnnotations.flatMap((annotation) => {
    const name = annotations?.[annotation]?.split("/")[1];
    return name === undefined ? [] : [[annotation, `${namespace}/${name}`]];
  });
  if (changed.length === 0) return component;
  const renamed = { ...annotations, ...Object.fromEntries(changed) };
  return { ...component, metadata: { ...component.metadata, annotations: renamed } };
}

function withConversion(crd: Component & { spec: object }, namespace: string): Component {
  const { conversion } = crd.spec as { conversion?: { webhook?: { clientConfig?: object } } };
  const clientConfig = conversion?.webhook?.clientConfig;
  if (!clientConfig) return crd;
  const webhook = { ...conversion.webhook, clientConfig: withService(clientConfig, namespace) };
  return { ...crd, spec: { ...crd.spec, conversion: { ...conversion, webhook } } };
}

function withService<T extends { readonly service?: object }>(holder: T, namespace: string): T {
  return holder.service ? { ...holder, service: { ...holder.service, namespace } } : holder;
}

/** Whether an annotation that names a Certificate or Secret has the form "namespace/name". */
export function malformedAnnotations({ metadata }: Component): readonly string[] {
  return injectionAnnotations.filter((annotation) => {
    const value = metadata.annotations?.[annotation];
    return value !== undefined && !/^[^/]+\/[^/]+$/.test(value);
  });
}

/**
 * An object of a kind that others define, with its references to one namespace turned to another: fields
 * named "namespace", "namespace/name" in annotations, and names of Services in DNS.
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
  const follow = (value: unknown, key?: string): unknown => {
    if (typeof value === "string") {
      return key === "namespace" && value === from
        ? to
        : value.replaceAll(`.${from}.svc`, () => `.${to}.svc`);
    }
    if (Array.isArray(value)) return value.map((item) => follow(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, follow(one, name)]),
    );
  };
  const followed = follow(rest) as Omit<Component, "metadata">;
  const annotated = metadata.annotations && { annotations: Object.fromEntries(annotations) };
  return { ...followed, metadata: { ...metadata, ...annotated } } as Component;
}

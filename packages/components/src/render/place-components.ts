import type { Component } from "../documents/documents.ts";
import { componentLabels } from "../providers/clusterctl-inventory.ts";
import type { ProviderIdentity } from "../providers/provider.ts";
import { isNamespace } from "./check-components.ts";
import { asExternal, type KindLookup } from "./known-kinds.ts";
import { withNamespace, withReferencesTo } from "./references.ts";

export interface Place {
  /** The namespace that they are written for. */
  readonly own: string | undefined;
  readonly namespace: string;
  readonly lookup: KindLookup;
  readonly provider: ProviderIdentity;
}

/** Moves components, with all that they refer to, into one namespace, and labels them. */
export function placeComponents(components: readonly Component[], place: Place): Component[] {
  const { namespace } = place;
  const isThere = components.some((component) => isNamespace(component));
  const added = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
  const all = isThere ? components : [...components, added];
  return all.map((component) =>
    withLabels(moved(component, place), componentLabels(place.provider)),
  );
}

function moved(component: Component, { own, namespace, lookup }: Place): Component {
  const { namespace: original, ...metadata } = component.metadata;
  if (isNamespace(component)) return { ...component, metadata: { ...metadata, name: namespace } };
  const found = lookup(component);
  const isNamespaced = found?.namespaced === true;
  const placed = isNamespaced ? { ...metadata, namespace } : metadata;
  const place = { ...component, metadata: placed };
  if (found?.stage === "external") return asExternal(withNamespace(place, own, namespace));
  const referring = withReferencesTo(place, namespace);
  if (component.kind !== "Certificate" || !original) return referring;
  return withDnsNames(referring, original, namespace);
}

/** The names of a Certificate hold the namespace of the Service that they are for. */
function withDnsNames(certificate: Component, original: string, namespace: string): Component {
  const { dnsNames, ...spec } = Object(certificate.spec) as { dnsNames?: unknown };
  if (!Array.isArray(dnsNames)) return certificate;
  const renamed = dnsNames.map((name) =>
    `${name}`.replace(`.${original}.`, () => `.${namespace}.`),
  );
  return { ...certificate, spec: { ...spec, dnsNames: renamed } };
}

function withLabels(component: Component, labels: Readonly<Record<string, string>>): Component {
  const { metadata } = component;
  return { ...component, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } };
}

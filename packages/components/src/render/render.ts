import type { Component } from "../documents/documents.ts";
import type { Problem } from "../errors.ts";
import { RenderError } from "../errors.ts";
import { componentLabels, type ProviderIdentity, providerLabel } from "../providers/provider.ts";
import type { ComponentPatch, ProviderSpec } from "../spec/provider-spec.ts";
import { applyPatches } from "./apply-patches.ts";
import { checkComponents, isNamespace, ownNamespace } from "./check-components.ts";
import { customize } from "./customize.ts";
import type { ImageOverrides } from "./image.ts";
import { imagesOf, withImageOverrides } from "./image.ts";
import {
  asExternal,
  inInstallOrder,
  type KindLookup,
  kindLookup,
  type ServedKind,
} from "./known-kinds.ts";
import { namespaceReferences, withNamespace, withReferencesTo } from "./references.ts";

export interface RenderInput {
  readonly provider: ProviderIdentity;
  readonly version: string;
  /** With their variables replaced. */
  readonly components: readonly Component[];
  /** Further components, which may be written for the target namespace. */
  readonly additional?: readonly Component[];
  /** The target namespace; that of the components where absent. */
  readonly namespace?: string;
  readonly spec?: Pick<ProviderSpec, "manager" | "deployment" | "patches">;
  readonly imageOverrides?: ImageOverrides;
  /** The kinds of `ofExternalKinds` that the cluster serves. */
  readonly served?: readonly ServedKind[];
}

/** Components, ready to be applied. */
export interface Rendering {
  readonly namespace: string;
  /** In the order to apply them. */
  readonly components: readonly Component[];
  readonly images: readonly string[];
  /** Ignored settings, with which the components still work. */
  readonly warnings: readonly Problem[];
}

/** Renders components for a provider. Throws RenderError with all problems. */
export function renderComponents(input: RenderInput): Rendering {
  const { provider, spec = {}, imageOverrides = {} } = input;
  const components = withAdditional(input);
  const lookup = kindLookup(components, input.served);
  const own = ownNamespace(components, lookup);
  const namespace = input.namespace ?? own.namespace;
  const overridden = withImageOverrides(components, providerLabel(provider), imageOverrides);
  const customized = customize(overridden.components, {
    provider,
    version: input.version,
    ...(spec.manager && { manager: spec.manager }),
    ...(spec.deployment && { deployment: spec.deployment }),
  });
  const problems = [
    ...own.problems,
    ...(namespace === undefined && own.problems.length === 0 ? [noNamespace] : []),
    ...checkComponents(components, { lookup, own: own.namespace }),
    ...overridden.problems,
    ...customized.problems,
  ];
  if (problems.length > 0 || namespace === undefined) throw new RenderError(problems);
  const place = { own: own.namespace, namespace, lookup, provider };
  const placed = placeComponents(customized.components, place).map(withoutAggregatedRules);
  const patched = patchComponents(placed, spec.patches ?? [], place);
  return {
    namespace,
    components: inInstallOrder(patched),
    images: imagesOf(patched),
    warnings: customized.warnings,
  };
}

function withAdditional({
  components,
  additional = [],
  namespace,
}: RenderInput): readonly Component[] {
  const own = ownNamespace(components, kindLookup(components)).namespace;
  const added = additional.filter((one) => !(isNamespace(one) && one.metadata.name === namespace));
  if (namespace === undefined || own === undefined) return [...components, ...added];
  return [...components, ...added.map((one) => writtenFor(one, namespace, own))];
}

/** A component for one namespace, changed for another. */
function writtenFor(component: Component, from: string, to: string): Component {
  const { namespace, ...metadata } = component.metadata;
  const isThere = namespace === from;
  const moved = isThere ? { ...component, metadata: { ...metadata, namespace: to } } : component;
  const references = namespaceReferences(moved);
  const isAllThere = references.every((reference) => reference.namespace === from);
  return isAllThere && references.length > 0 ? withReferencesTo(moved, to) : moved;
}

/** Applies patches after placement, and checks that they reach no other namespace. */
function patchComponents(
  placed: readonly Component[],
  patches: readonly ComponentPatch[],
  { namespace, lookup, provider }: Pick<Place, "namespace" | "lookup" | "provider">,
): readonly Component[] {
  const { components, problems } = applyPatches(placed, patches, provider);
  const known = new Set(placed);
  const changed = components.filter((component) => !known.has(component));
  const all = [...problems, ...checkComponents(changed, { lookup, own: namespace })];
  if (all.length > 0) throw new RenderError(all);
  return components;
}

const noNamespace: Problem = {
  reason: "NoNamespace",
  message: "the components name no namespace; say which one they are to be in",
};

/**
 * Removes the rules of an aggregated ClusterRole: applying the empty list would remove all rights of
 * the manager, until the control plane fills it again.
 */
function withoutAggregatedRules(component: Component): Component {
  if (component.kind !== "ClusterRole" || !component.aggregationRule) return component;
  const { rules: _, ...role } = component;
  return role as Component;
}

interface Place {
  /** The namespace that they are written for. */
  readonly own: string | undefined;
  readonly namespace: string;
  readonly lookup: KindLookup;
  readonly provider: ProviderIdentity;
}

/** Moves components and their references to one namespace, and labels them. */
function placeComponents(components: readonly Component[], place: Place): Component[] {
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

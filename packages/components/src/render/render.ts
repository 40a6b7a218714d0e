import type { Component } from "../documents/documents.ts";
import { RenderError } from "../errors.ts";
import type { Problem } from "../problem.ts";
import { type ProviderIdentity, providerLabel } from "../providers/provider.ts";
import type { ComponentPatch, ProviderSpec } from "../spec/provider-spec.ts";
import { applyPatches } from "./apply-patches.ts";
import { checkComponents, isNamespace, ownNamespace } from "./check-components.ts";
import { customize } from "./customize.ts";
import type { ImageOverrides } from "./image.ts";
import { imagesOf, withImageOverrides } from "./images.ts";
import { inInstallOrder } from "./install-order.ts";
import { kindLookup, type ServedKind } from "./known-kinds.ts";
import { type Place, placeComponents } from "./place-components.ts";
import { namespaceReferences, withReferencesTo } from "./references.ts";

export interface RenderInput {
  readonly provider: ProviderIdentity;
  readonly version: string;
  /** As they were read, their variables replaced. */
  readonly components: readonly Component[];
  /** More of them, which may also be written for the namespace that all are put into. */
  readonly additional?: readonly Component[];
  /** Where to put them; the namespace that they are written for where absent. */
  readonly namespace?: string;
  readonly spec?: Pick<ProviderSpec, "manager" | "deployment" | "patches">;
  readonly imageOverrides?: ImageOverrides;
  /** Kinds of `ofExternalKinds` that are served where the components go. */
  readonly served?: readonly ServedKind[];
}

/** Components as they are to be applied. */
export interface Rendering {
  readonly namespace: string;
  /** In the order to apply them. */
  readonly components: readonly Component[];
  readonly images: readonly string[];
  /** What was asked for and is not done; nothing that keeps the components from working. */
  readonly warnings: readonly Problem[];
}

/** Renders components for a provider. Throws RenderError with all that is wrong. */
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

/** A component for one namespace, as it would be for another. */
function writtenFor(component: Component, from: string, to: string): Component {
  const { namespace, ...metadata } = component.metadata;
  const isThere = namespace === from;
  const moved = isThere ? { ...component, metadata: { ...metadata, namespace: to } } : component;
  const references = namespaceReferences(moved);
  const isAllThere = references.every((reference) => reference.namespace === from);
  return isAllThere && references.length > 0 ? withReferencesTo(moved, to) : moved;
}

/** Patches are for what is placed: nothing that they add may reach outside of it. */
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
 * A ClusterRole without the rules that the control plane fills in: whoever applied its empty list
 * would take all rights from the manager, until they are filled in again.
 */
function withoutAggregatedRules(component: Component): Component {
  if (component.kind !== "ClusterRole" || !component.aggregationRule) return component;
  const { rules: _, ...role } = component;
  return role as Component;
}

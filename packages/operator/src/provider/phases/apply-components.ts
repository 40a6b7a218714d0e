import {
  type Component,
  componentKeyOf,
  formatComponentKey,
  installStages,
} from "@rookery/components";
import { isInvalid } from "@rookery/kube";
import { fieldManager } from "../../components/component-client.ts";
import { componentHash } from "../../components/component-hash.ts";
import { inParallel } from "../../components/in-parallel.ts";
import { ownFieldsHash } from "../../components/managed-fields.ts";
import { labelOf } from "../../identity/identity.ts";
import { isNamespaceMissing, isNamespaceRight } from "../../instances/namespace-rights.ts";
import type { OwnedEntry } from "../../state/install-state.ts";
import { applyFailure } from "../apply-failure.ts";
import type { ProviderScope } from "../scope.ts";
import { removeComponent } from "./remove-components.ts";
import { waitUntilEstablished } from "./wait-until-established.ts";

/**
 * Applies components stage by stage, CRDs established before anything else follows; resolves to what
 * is to be remembered of each. Errors: PhaseError.
 */
export async function applyComponents(
  scope: ProviderScope,
  components: readonly Component[],
): Promise<readonly OwnedEntry[]> {
  const entries: OwnedEntry[] = [];
  for (const { stage, components: members } of installStages(components)) {
    const applied = await inParallel(members, (component) => applyComponent(scope, component));
    entries.push(...applied.map((entry) => ({ ...entry, stage })));
    if (stage === "crds") await waitUntilEstablished(members, scope);
  }
  return entries;
}

/** Applies one component, and tells what is to be remembered of it. Errors: PhaseError. */
export async function applyComponent(
  scope: ProviderScope,
  component: Component,
): Promise<Omit<OwnedEntry, "stage">> {
  const key = componentKeyOf(component);
  const { signal, provider } = scope;
  // Several providers may live in one namespace: each has a say in it of its own.
  const isShared = key.kind === "Namespace" && key.group === "";
  const as = isShared ? `${fieldManager}-${labelOf(provider)}` : fieldManager;
  const isRight = isNamespaceRight(key, provider.metadata.namespace);
  try {
    const applied = await scope.components
      .apply(component, { signal, fieldManager: as })
      .catch(async (error: unknown) => {
        // Rights are never removed before: which role a binding is for cannot be changed.
        if (!isRight || !isInvalid(error)) throw error;
        await removeComponent({ ...key, stage: "rbac" }, scope);
        return scope.components.apply(component, { signal, fieldManager: as });
      });
    const fields = isShared ? undefined : ownFieldsHash(applied.metadata);
    return { ...key, content: componentHash(component), ...(fields && { fields }) };
  } catch (error) {
    // One namespace of many: without it the others go on. There is a warning for it.
    if (isRight && isNamespaceMissing(error)) return key;
    throw applyFailure(formatComponentKey(key), error);
  }
}

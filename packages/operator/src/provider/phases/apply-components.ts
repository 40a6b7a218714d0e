import {
  type Component,
  componentKeyOf,
  formatComponentKey,
  installStages,
} from "@rookery/components";
import { fieldManager } from "../../components/component-client.ts";
import { componentHash } from "../../components/component-hash.ts";
import { inParallel } from "../../components/in-parallel.ts";
import { ownFieldsHash } from "../../components/managed-fields.ts";
import type { OwnedEntry } from "../../state/install-state.ts";
import { applyFailure } from "../apply-failure.ts";
import { labelOf } from "../identity.ts";
import type { ProviderScope } from "../scope.ts";
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
    const applied = await inParallel(members, (component) => applyOne(scope, component));
    entries.push(...applied.map((entry) => ({ ...entry, stage })));
    if (stage === "crds") await waitUntilEstablished(members, scope);
  }
  return entries;
}

/** Applies one component, and tells what is to be remembered of it. Errors: PhaseError. */
export async function applyOne(
  scope: ProviderScope,
  component: Component,
): Promise<Omit<OwnedEntry, "stage">> {
  const key = componentKeyOf(component);
  const { signal, provider } = scope;
  // Several providers may live in one namespace: each has a say in it of its own.
  const isShared = key.kind === "Namespace" && key.group === "";
  const as = isShared ? `${fieldManager}-${labelOf(provider)}` : fieldManager;
  try {
    const applied = await scope.components.apply(component, { signal, fieldManager: as });
    const fields = isShared ? undefined : ownFieldsHash(applied.metadata);
    return { ...key, content: componentHash(component), ...(fields && { fields }) };
  } catch (error) {
    throw applyFailure(formatComponentKey(key), error);
  }
}

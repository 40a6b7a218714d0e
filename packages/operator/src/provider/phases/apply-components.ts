import {
  type Component,
  componentKeyOf,
  formatComponentKey,
  installStages,
} from "@rookery/components";
import { messageOf } from "@rookery/errors";
import { findStatusError, isBadRequest, isForbidden, isInvalid } from "@rookery/kube";
import { fieldManager } from "../../components/component-client.ts";
import { inParallel } from "../../components/in-parallel.ts";
import { componentHash, ownFieldsHash } from "../../components/managed-fields.ts";
import { KindNotServedError, PhaseError } from "../../errors.ts";
import { labelOf } from "../../identity/identity.ts";
import { isNamespaceMissing, isNamespaceRight } from "../../instances/namespace-rights.ts";
import type { OwnedEntry } from "../../state/install-state.ts";
import { ownedAfter } from "../policies.ts";
import type { ProviderScope } from "../scope.ts";
import { failChange } from "./fail-change.ts";
import { completeDriftCheck, loadComponents } from "./load-components.ts";
import { removeComponent, removeObsolete } from "./remove-components.ts";
import { waitUntilEstablished } from "./wait-until-established.ts";

/** Applies components stage by stage; returns the entries to record. Errors: PhaseError. */
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

/** Applies one component, and returns the entry to record. Errors: PhaseError. */
export async function applyComponent(
  scope: ProviderScope,
  component: Component,
): Promise<Omit<OwnedEntry, "stage">> {
  const { provider, components } = scope;
  const key = componentKeyOf(component);
  // Several providers may share a namespace: each has a field manager of its own for it.
  const isShared = key.kind === "Namespace" && key.group === "";
  const manager = isShared ? `${fieldManager}-${labelOf(provider)}` : fieldManager;
  const isRight = isNamespaceRight(key, provider.metadata.namespace);
  const apply = () => components.apply(component, manager);
  try {
    const { metadata } = await apply().catch(async (error: unknown) => {
      // The roleRef of a binding is immutable, and a change does not remove RoleBindings before.
      if (!isRight || !isInvalid(error)) throw error;
      await removeComponent({ ...key, stage: "rbac" }, scope);
      return apply();
    });
    const fields = isShared ? undefined : ownFieldsHash(metadata);
    return { ...key, content: componentHash(component), ...(fields && { fields }) };
  } catch (error) {
    // A missing namespace does not keep the others from working: a warning names it.
    if (isRight && isNamespaceMissing(error)) return key;
    throw applyFailure(formatComponentKey(key), error);
  }
}

/** Most rejections pass, such as those of a webhook that is starting. */
const retrySeconds = 5;
/** Errors of the object itself rarely pass. */
const rejectedRetrySeconds = 60;

/** A PhaseError for an error of the API server; any other error as it is. */
function applyFailure(object: string, error: unknown): unknown {
  const isAnswer = findStatusError(error) !== undefined || error instanceof KindNotServedError;
  if (!isAnswer) return error;
  return new PhaseError("ProviderInstalled", "ApplyFailed", {
    message: `could not apply ${object}: ${messageOf(error)}`,
    retryAfterSeconds: isRejected(error) ? rejectedRetrySeconds : retrySeconds,
    cause: error,
  });
}

function isRejected(error: unknown): boolean {
  return isInvalid(error) || isBadRequest(error) || isForbidden(error);
}

export async function applyRelease(scope: ProviderScope, paused: boolean): Promise<void> {
  const { record } = scope;
  const loaded = await loadComponents(scope, paused);
  if (loaded === undefined) return;
  const { components, release } = loaded;
  try {
    const entries = await applyComponents(scope, components);
    // Objects that instances share, and those of external kinds, were not removed before.
    await removeObsolete(scope, components, record.state.layout ? undefined : ["external"]);
    const owned = ownedAfter(record.state.owned, entries);
    await record.save({ ...record.state, owned, phase: "Verifying" });
    completeDriftCheck(scope, owned, loaded);
  } catch (error) {
    // A release that the API server rejects is handled like one whose pods do not start.
    if (!(error instanceof PhaseError) || !isRejected(error.cause)) throw error;
    if (!(await failChange(scope, release, error.message))) throw error;
  }
}

import { type Component, componentKeyOf, formatComponentKey } from "@rookery/components";
import { fieldManager } from "../../components/component-client.ts";
import { componentHash } from "../../components/managed-fields.ts";
import { roleOwnerOf } from "../../permissions/own-kinds-role.ts";
import { grantOwnKinds } from "../../permissions/permissions.ts";
import { deployments } from "../../resources.ts";
import type { OwnedEntry } from "../../state/install-state.ts";
import { isAmong, isKept } from "../policies.ts";
import type { ProviderScope } from "../scope.ts";
import { applyComponents } from "./apply-components.ts";
import { completeDriftCheck, loadComponents } from "./load-components.ts";
import { removeObsolete } from "./remove-components.ts";

/** Applies components that the layout changes, then removes obsolete ones. Errors: PhaseError. */
export async function applyLayout(scope: ProviderScope, paused: boolean): Promise<void> {
  const { record, provider } = scope;
  const loaded = await loadComponents(scope, paused);
  if (loaded === undefined) return;
  const { components } = loaded;
  const known = new Map(record.state.owned.map((entry) => [formatComponentKey(entry), entry]));
  const changed = components.filter(
    (one) => known.get(formatComponentKey(componentKeyOf(one)))?.content !== componentHash(one),
  );
  await grantOwnKinds(roleOwnerOf(provider), changed, scope);
  for (const component of changed) await allowRecreate(scope, component);
  for (const entry of await applyComponents(scope, changed)) {
    known.set(formatComponentKey(entry), entry);
  }
  await removeObsolete(scope, components);
  const owned = [...known.values()].flatMap((entry) => stillOwned(entry, components));
  await record.save({ ...record.state, owned, phase: "Verifying" });
  completeDriftCheck(scope, owned, loaded);
}

/** Kept objects that now belong to another instance stay recorded, but are no longer compared. */
function stillOwned(entry: OwnedEntry, components: readonly Component[]): readonly OwnedEntry[] {
  if (isAmong(components, entry)) return [entry];
  const { content: _, fields: __, ...key } = entry;
  return isKept(entry) ? [key] : [];
}

/** With Recreate, the API server rejects the parameters of a rolling update that it defaulted. */
async function allowRecreate(
  { client, components }: ProviderScope,
  component: Component,
): Promise<void> {
  const key = componentKeyOf(component);
  if (key.kind !== "Deployment" || strategyOf(component) !== "Recreate") return;
  const live = await components.get(key);
  if (live === undefined || strategyOf(live) === "Recreate") return;
  const patch = { spec: { strategy: { type: "Recreate", rollingUpdate: null } } };
  const { namespace = "", name } = key;
  await client
    .resource(deployments)
    .patch({ namespace, name }, { type: "merge", patch }, { fieldManager });
}

function strategyOf({ spec }: Component): string | undefined {
  return (Object(spec) as { readonly strategy?: { readonly type?: string } }).strategy?.type;
}

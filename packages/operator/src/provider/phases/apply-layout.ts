import {
  type Component,
  componentKeyOf,
  formatComponentKey,
  type Stage,
} from "@rookery/components";
import { componentHash } from "../../components/component-hash.ts";
import type { Deployment } from "../../components/deployment.ts";
import { PhaseError } from "../../errors.ts";
import { renderedComponents } from "../../instances/rendered.ts";
import { roleOwnerOf } from "../../permissions/own-kinds-role.ts";
import { grantOwnKinds } from "../../permissions/permissions.ts";
import { deployments } from "../../resources.ts";
import type { OwnedEntry } from "../../state/install-state.ts";
import { nextDriftCheckSeconds } from "../drift-checks.ts";
import { isKept } from "../policies.ts";
import type { ProviderScope } from "../scope.ts";
import { applyComponents } from "./apply-components.ts";
import { loadRelease } from "./load-release.ts";
import { withoutReplicas } from "./pause.ts";
import { explainLeft, ownEntries, removeAll } from "./remove-components.ts";

/** What goes is looked at again this often. */
const removalSeconds = 2;

/**
 * Applies what differs between the recorded layout and what is in the cluster, over what runs, and then
 * removes what the layout no longer has. Errors: PhaseError.
 */
export async function applyLayout(scope: ProviderScope, paused: boolean): Promise<void> {
  const { record, provider, signal } = scope;
  const release = await loadRelease(scope);
  if (release === undefined) return;
  const laid = await renderedComponents(scope, release, record.state.layout);
  const certified = await scope.certificates.ensure(provider, laid, signal);
  const components = paused
    ? certified.components.map((one) => withoutReplicas(one, record.state.replicas))
    : certified.components;
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
  const again = nextDriftCheckSeconds(scope, owned, certified.renewAfterSeconds);
  scope.driftChecks.done(provider, release.reference.id, again);
}

/**
 * Removes what is recorded and no longer among components, of some stages alone where they are named.
 * Errors: PhaseError while it waits.
 */
export async function removeObsolete(
  scope: ProviderScope,
  components: readonly Component[],
  stages?: readonly Stage[],
): Promise<void> {
  const obsolete = ownEntries(scope).filter(
    (entry) =>
      !isKept(entry) && !isPresent(entry, components) && (stages?.includes(entry.stage) ?? true),
  );
  const left = await removeAll(obsolete, scope);
  if (left.length === 0) return;
  throw new PhaseError("ProviderInstalled", "Removing", {
    message: await explainLeft(left, scope),
    retryAfterSeconds: removalSeconds,
  });
}

/** What another instance looks after now is known, and no longer compared. */
function stillOwned(entry: OwnedEntry, components: readonly Component[]): readonly OwnedEntry[] {
  if (isPresent(entry, components)) return [entry];
  const { content: _, fields: __, ...key } = entry;
  return isKept(entry) ? [key] : [];
}

function isPresent(entry: OwnedEntry, components: readonly Component[]): boolean {
  const key = formatComponentKey(entry);
  return components.some((component) => formatComponentKey(componentKeyOf(component)) === key);
}

/**
 * The API server has put the parameters of a rolling update into a Deployment that said nothing of
 * them; nobody owns them, and with Recreate it refuses them.
 */
async function allowRecreate(scope: ProviderScope, component: Component): Promise<void> {
  const { strategy } = Object(component.spec) as { strategy?: { type?: string } };
  const key = componentKeyOf(component);
  if (key.kind !== "Deployment" || strategy?.type !== "Recreate") return;
  const { client, components, signal } = scope;
  const live = (await components.get(key, signal)) as Deployment | undefined;
  const current = Object(live?.spec) as { strategy?: { type?: string } };
  if (live === undefined || current.strategy?.type === "Recreate") return;
  const patch = { spec: { strategy: { type: "Recreate", rollingUpdate: null } } };
  const { namespace = "", name } = key;
  await client
    .resource(deployments)
    .patch(
      { namespace, name },
      { type: "merge", patch },
      { fieldManager: "rookery-operator", signal },
    );
}

import { issuedSecretLabels, issuedSecretName } from "@rookery/runtime";
import { inParallel } from "../../components/in-parallel.ts";
import { findUsersInTheWay } from "../../deletion/users.ts";
import { PhaseError } from "../../errors.ts";
import { handoverObstacle } from "../../instances/family.ts";
import { roleOwnerOf } from "../../permissions/own-kinds-role.ts";
import { grantNamedKinds, revokeOwnKinds } from "../../permissions/permissions.ts";
import { namespaces } from "../../resources.ts";
import type { OwnedEntry } from "../../state/install-state.ts";
import type { ProviderView } from "../../state/provider-view.ts";
import type { ProviderScope } from "../scope.ts";
import { removeInventory } from "./record-inventory.ts";
import { explainLeft, ownEntries, removeAll, removeComponents } from "./remove-components.ts";
import { ownFamily } from "./update-layout.ts";

/** Workload clusters are not watched. */
const usersSeconds = 30;
const removalSeconds = 2;

/**
 * Removes all objects of the provider, and then its record.
 *
 * Flow: waits while clusters use the provider, and until another instance has taken over the shared
 * objects; the record is not changed until then, so that the provider is kept running. Then come CRDs, if
 * the policy includes them, while the controllers can still remove finalizers from their objects; the
 * components, webhooks first; the certificates that their managers issued; and the namespace, if the
 * policy includes it.
 * Errors: PhaseError while it has to wait.
 */
export async function removeProvider(scope: ProviderScope): Promise<void> {
  const { record, provider, store } = scope;
  const { deletionPolicy } = provider.spec ?? {};
  if (record.state.phase !== "Deleting" && record.state.owned.length > 0) {
    await checkUsers(scope);
    checkHandover(scope);
    await record.save({ ...record.state, phase: "Deleting" });
  }
  // Again, because records of older versions may have the phase without this check.
  checkHandover(scope);
  const owned = ownEntries(scope);
  if (deletionPolicy?.customResourceDefinitions === "Delete") {
    const kinds = owned.filter(({ stage }) => stage === "crds" || stage === "instances");
    await waitFor(await removeAll(kinds, scope), scope);
  }
  await waitFor(await removeComponents(owned, scope), scope);
  await removeIssuedCertificates(owned, scope);
  // A provider that was never installed must not remove the record of another instance.
  if (record.state.release || record.state.lastGood) await removeInventory(scope);
  await revokeOwnKinds(roleOwnerOf(provider), scope);
  if (deletionPolicy?.namespace === "Delete") await removeNamespace(scope);
  await store.forget(provider);
}

function checkHandover(scope: ProviderScope): void {
  const { layout } = scope.record.state;
  const why = layout && handoverObstacle(ownFamily(scope), layout.first);
  if (why === undefined) return;
  throw new PhaseError("Deleting", "HandingOver", {
    message: `${why}; it goes on by itself`,
    retryAfterSeconds: removalSeconds,
  });
}

async function checkUsers(scope: ProviderScope): Promise<void> {
  const { provider, views, record, client } = scope;
  // The role of an adopted provider may be missing.
  const crds = record.state.owned.filter(({ stage }) => stage === "crds");
  const names = crds.map(({ name }) => name);
  await grantNamedKinds(roleOwnerOf(provider), names, scope);
  const users = await findUsersInTheWay(views(), record.state, client);
  if (users === undefined) return;
  const { count, first, wayOut } = users;
  const more = count > first.length ? ` and ${count - first.length} more` : "";
  throw new PhaseError("Deleting", "InUse", {
    message:
      `could not delete the provider: ${count} still use it: ${first.join(", ")}${more}; ${wayOut}, and it goes ` +
      "on by itself; to keep the provider, take its finalizers away and create it again",
    retryAfterSeconds: usersSeconds,
  });
}

async function waitFor(left: readonly OwnedEntry[], scope: ProviderScope): Promise<void> {
  if (left.length === 0) return;
  const isStuck = left.some(({ stage }) => stage !== "workloads");
  throw new PhaseError("Deleting", isStuck ? "WaitingForFinalizers" : "RemovingComponents", {
    message: await explainLeft(left, scope),
    retryAfterSeconds: removalSeconds,
  });
}

/** Deletes certificates that managers issued. Assumption: no pod runs that would do so again. */
async function removeIssuedCertificates(
  owned: readonly OwnedEntry[],
  { components }: ProviderScope,
): Promise<void> {
  const services = owned.filter(({ group, kind }) => group === "" && kind === "Service");
  await inParallel(services, async ({ namespace, name }) => {
    const secret = { group: "", version: "v1", kind: "Secret" };
    const key = { ...secret, name: issuedSecretName(name), ...(namespace && { namespace }) };
    const { labels = {} } = (await components.getMetadata(key))?.metadata ?? {};
    const isIssued = Object.entries(issuedSecretLabels).every(([label, value]) => {
      return labels[label] === value;
    });
    if (isIssued) await components.delete(key);
  });
}

/** Keeps the namespace if another provider is in it. */
async function removeNamespace(scope: ProviderScope): Promise<void> {
  const { provider, client } = scope;
  const { namespace = "" } = provider.metadata;
  const isNeighbour = ({ provider: other }: ProviderView) => other.metadata.namespace === namespace;
  const neighbour = scope.views().others.find(isNeighbour);
  if (neighbour) {
    const { kind, name } = neighbour.identity;
    const note = `namespace ${namespace} is not deleted: ${kind} ${name} lives in it too`;
    scope.recorder.event(provider, { type: "Warning", reason: "NamespaceKept", note });
    return;
  }
  await client.resource(namespaces).delete({ name: namespace });
}

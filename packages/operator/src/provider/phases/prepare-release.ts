import {
  type Component,
  componentKeyOf,
  type ProviderFiles,
  type VariableLookup,
} from "@rookery/components";
import { grantOwnKinds } from "../../permissions/permissions.ts";
import { coreOf, suffixOf } from "../../preflight/core-of.ts";
import { checkAccepted } from "../../preflight/dry-run.ts";
import { checkOwners } from "../../preflight/owners.ts";
import { checkBeforeFetch, checkContract } from "../../preflight/preflight.ts";
import { readContract, renderRelease } from "../../rendering/render-release.ts";
import type { InstallState, Release } from "../../state/install-state.ts";
import { prepareStoredVersions } from "../../storage-versions/stored-versions.ts";
import { labelOf } from "../identity.ts";
import { isKept, ownedWith } from "../policies.ts";
import type { ProviderScope } from "../scope.ts";

/**
 * Makes what the spec asks for the target of the install.
 *
 * Flow: checks, fetches where the version is new, renders, checks against the cluster, and records
 * the release together with all that may soon be in the cluster.
 * Guarantees: until it resolves nothing of what runs is touched.
 * Errors: PhaseError.
 */
export async function prepareRelease(scope: ProviderScope, version: string): Promise<void> {
  const { provider, record, signal } = scope;
  checkBeforeFetch(scope.views());
  const variables = await scope.readVariables(provider, signal);
  const source = await findSource(scope, version, variables);
  const contract = await readContract(source, version);
  checkContract({ ...scope.views(), target: { version, contract } });
  const { imageOverrides, image } = scope;
  const { self, others } = scope.views();
  const core = coreOf(self, others);
  const sharesSuffix = core !== undefined && suffixOf(core) === suffixOf(self);
  const given = { version, contract, source, variables };
  const release = await renderRelease(provider, { ...given, imageOverrides, image, sharesSuffix });
  await checkCluster(scope, release.components);
  await scope.store.putRelease(provider, release);
  await record.save(targeting(record.state, release));
}

/** The latest version where the spec names none. Errors: PhaseError. */
export async function findLatestVersion(scope: ProviderScope): Promise<string> {
  checkBeforeFetch(scope.views());
  const variables = await scope.readVariables(scope.provider, scope.signal);
  return scope.openSource(scope.provider, variables).latestVersion(scope.signal);
}

/** A version that is known was kept: a source that is down stands in nobody's way. */
async function findSource(
  scope: ProviderScope,
  version: string,
  variables: VariableLookup,
): Promise<ProviderFiles> {
  const { provider, record, store, signal } = scope;
  const { release, lastGood } = record.state;
  for (const known of [release, lastGood]) {
    if (known?.version !== version || known.adopted) continue;
    const recorded = await store.getRelease(provider, known.id, signal);
    if (recorded) return recorded.source;
  }
  return scope.openSource(provider, variables).fetch(version, signal);
}

/** What only the cluster can say against components. */
async function checkCluster(scope: ProviderScope, components: readonly Component[]): Promise<void> {
  const { provider, record, client, signal } = scope;
  const crds = components.filter(
    (component) => componentKeyOf(component).kind === "CustomResourceDefinition",
  );
  await grantOwnKinds(scope.views().self, crds, { client, signal });
  await checkOwners(components, {
    getMetadata: (key) => scope.components.getMetadata(key, signal),
    label: labelOf(provider),
    owned: record.state.owned,
  });
  const certified = await scope.certificates.ensure(provider, components, signal);
  await prepareStoredVersions(crds, client, signal);
  if (record.state.owned.every(isKept)) return;
  await checkAccepted(certified.components, { client, signal });
}

function targeting(state: InstallState, { reference, components }: Release): InstallState {
  const { failed: _, ...rest } = state;
  const owned = ownedWith(state.owned, components);
  const phase = state.owned.every(isKept) ? "Applying" : "Removing";
  return { ...rest, owned, release: reference, phase };
}

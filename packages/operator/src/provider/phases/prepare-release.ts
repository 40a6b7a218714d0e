import { type Component, componentKeyOf, formatComponentKey } from "@rookery/components";
import { PhaseError } from "../../errors.ts";
import { labelOf } from "../../identity/identity.ts";
import { providerImages } from "../../instances/images.ts";
import { renderedComponents } from "../../instances/rendered.ts";
import { roleOwnerOf } from "../../permissions/own-kinds-role.ts";
import { grantOwnKinds } from "../../permissions/permissions.ts";
import { checkContract, wantedContract } from "../../preflight/contract-rules.ts";
import { checkAccepted } from "../../preflight/dry-run.ts";
import { checkImages } from "../../preflight/instance-rules.ts";
import { checkOwners } from "../../preflight/owners.ts";
import { checkBeforeFetch } from "../../preflight/preflight.ts";
import { readContract } from "../../rendering/render-release.ts";
import { packRelease } from "../../state/release.ts";
import { prepareStoredVersions } from "../../storage-versions/stored-versions.ts";
import { isKept, ownedWith } from "../policies.ts";
import type { ProviderScope } from "../scope.ts";
import { renderAhead, renderWanted } from "./render-wanted.ts";
import { desiredLayoutOf, ownFamily, recordLayout } from "./update-layout.ts";

/**
 * Prepares the release that the spec requests, and makes it the target of the install.
 *
 * Flow: preflight checks, fetch if the version is new, render, checks against the cluster, and a record
 * of the release with all objects that may soon exist. While the core is not ready, the release is
 * fetched and rendered ahead.
 * Guarantees: does not change running components.
 * Errors: PhaseError.
 */
export async function prepareRelease(scope: ProviderScope, version: string): Promise<void> {
  const { provider, record } = scope;
  try {
    checkBeforeFetch(scope.views());
  } catch (error) {
    if (error instanceof PhaseError) renderAhead(scope, version, error);
    throw error;
  }
  const release = await renderWanted(scope, version);
  const family = ownFamily(scope);
  checkImages(family, providerImages(release.components));
  const isInstance = provider.spec?.watch !== undefined || record.state.layout !== undefined;
  const { layout } = isInstance ? await desiredLayoutOf(family, release.reference, scope) : {};
  const components = await renderedComponents(scope, release, layout);
  // Packed in other threads during the requests.
  const packed = packRelease(release);
  packed.catch(() => {});
  await checkCluster(scope, components);
  await scope.store.putRelease(provider, release, await packed);
  const { failed: _, layout: __, ...state } = record.state;
  await recordLayout(scope, family, {
    ...state,
    owned: ownedWith(state.owned, components),
    release: release.reference,
    phase: state.owned.every(isKept) ? "Applying" : "Removing",
    ...(layout && { layout }),
  });
}

/** The latest version of the core's contract that can be installed. Errors: PhaseError. */
export async function findLatestVersion(scope: ProviderScope): Promise<string> {
  const { provider, signal } = scope;
  const views = scope.views();
  checkBeforeFetch(views);
  // All instances of a provider have the same version.
  const { version: common } = ownFamily(scope).first.view.provider.spec ?? {};
  if (common !== undefined) return common;
  const { lookup } = await scope.readVariables(provider);
  const source = scope.openSource(provider, lookup);
  const version = await source.latestVersion(wantedContract(views), signal);
  const contract = await readContract(
    { metadata: await source.metadata(version, signal) },
    version,
  );
  checkContract({ ...views, target: { version, contract } });
  return version;
}

/** Checks components against the cluster: owners, stored versions, and a dry run of each change. */
async function checkCluster(scope: ProviderScope, components: readonly Component[]): Promise<void> {
  const { provider, record, client, signal } = scope;
  await grantOwnKinds(roleOwnerOf(provider), components, scope);
  const absent = await checkOwners(components, {
    getMetadata: (key) => scope.components.getMetadata(key),
    label: labelOf(provider),
    owned: record.state.owned,
  });
  const certified = await scope.certificates.ensure(provider, components, signal);
  const names = new Set(absent.map(formatComponentKey));
  const present = components.filter((one) => !names.has(formatComponentKey(componentKeyOf(one))));
  await prepareStoredVersions(present, client, signal);
  if (record.state.owned.every(isKept)) return;
  await checkAccepted(certified.components, client);
}

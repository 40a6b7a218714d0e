import { preflightError } from "../errors.ts";
import {
  byAge,
  coreOf,
  describeProvider,
  isCore,
  isDeleting,
  isInstalled,
  suffixOf,
} from "../instances/core-of.ts";
import { familyOf } from "../instances/family.ts";
import type { ProviderView, ProviderViews } from "../state/provider-view.ts";
import { checkClaims, checkFirst, checkSkew } from "./instance-rules.ts";
import { checkSpec } from "./spec-rules.ts";

/** The checks before a fetch. Throws PhaseError. */
export function checkBeforeFetch(input: ProviderViews): void {
  checkSpec(input.self);
  checkNamespace(input);
  checkOnlyInstance(input);
  checkInstances(input);
  checkCore(input);
}

/** Users who may write ConfigMaps or Secrets in the namespace could install anything, with any rights. */
function checkNamespace({ self, others }: ProviderViews): void {
  const { spec, metadata } = self.provider;
  const { fetchConfig, secretName, additionalManifests } = spec ?? {};
  const { selector, secretName: credentials } = fetchConfig ?? {};
  const isRead = [selector, credentials, secretName, additionalManifests].some(Boolean);
  const home = metadata.namespace ?? "";
  const watcher = [self, ...others].find(({ provider }) =>
    provider.spec?.watch?.namespaces?.includes(home),
  );
  if (!isRead || !watcher) return;
  throw preflightError(
    "TenantNamespace",
    `could not take ConfigMaps and Secrets from namespace ${home} for ${describeProvider(self)}: ` +
      `${describeProvider(watcher)} watches it for its users, who may write there; keep providers in ` +
      "namespaces that no spec.watch.namespaces names, or fetch by spec.fetchConfig.url without a Secret and additional manifests",
  );
}

function checkInstances({ self, others }: ProviderViews): void {
  const family = familyOf(self, others);
  const members = [family.self, ...family.others];
  if (members.length === 1 || !members.some(({ view }) => isInstance(view))) return;
  checkClaims(family);
  checkSkew(family);
  checkFirst(family);
}

/** The installed provider passes, or else the older one. */
function checkOnlyInstance({ self, others }: ProviderViews): void {
  const rival = others.find((other) => isSameProvider(self, other) && comesBefore(other, self));
  if (!rival) return;
  throw preflightError(
    "SecondInstance",
    `could not install ${describeProvider(self)}: there is ${describeProvider(rival)} already; ` +
      "delete one of the two, divide the namespaces among both with spec.watch, or give this one API " +
      "groups of its own with spec.apiGroupSuffix",
  );
}

/** Cores count as the same provider whatever their names. Instances of one provider do not. */
function isSameProvider(self: ProviderView, other: ProviderView): boolean {
  if (self.identity.kind !== other.identity.kind || suffixOf(self) !== suffixOf(other))
    return false;
  const isNamesake = self.identity.name === other.identity.name;
  if (isNamesake && isInstance(self) && isInstance(other)) return false;
  return isCore(self) || isNamesake;
}

function isInstance({ provider }: ProviderView): boolean {
  return provider.spec?.watch !== undefined;
}

function comesBefore(a: ProviderView, b: ProviderView): boolean {
  if (isInstalled(a) !== isInstalled(b)) return isInstalled(a);
  return byAge(a, b) < 0;
}

/** An installed provider may be changed also while the core is paused or not ready. */
function checkCore({ self, others }: ProviderViews): void {
  const core = coreOf(self, others);
  if (core === self) return;
  if (!core) {
    throw preflightError(
      "WaitingForCoreProvider",
      `could not install ${describeProvider(self)} yet: there is no CoreProvider; make one, and this goes on by itself`,
    );
  }
  const isCoreDeleting = isDeleting(core);
  if ((core.isReady && !isCoreDeleting) || self.installed) return;
  const why = isCoreDeleting
    ? "is being deleted; this goes on by itself when another CoreProvider is installed and ready"
    : "is not ready; its conditions say why, and this goes on by itself when it is";
  throw preflightError(
    "CoreProviderNotReady",
    `could not install ${describeProvider(self)} yet: ${describeProvider(core)} ${why}`,
  );
}

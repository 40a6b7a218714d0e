import {
  byAge,
  coreOf,
  describeProvider,
  isCore,
  isInstalled,
  isLeaving,
  suffixOf,
} from "../instances/core-of.ts";
import { familyOf } from "../instances/family.ts";
import type { ProviderView } from "../state/provider-view.ts";
import { checkDivision, checkFirst, checkSkew } from "./instance-rules.ts";
import { refusal } from "./refusal.ts";
import { checkSpec } from "./spec-rules.ts";

export { checkContract, checkUnpause, wantedContract } from "./contract-rules.ts";
export { checkDivision, checkImages } from "./instance-rules.ts";

/** A provider among all others, of any kind and in any namespace. */
export interface PreflightInput {
  readonly self: ProviderView;
  readonly others: readonly ProviderView[];
  /** What it is to become, once that is fetched. */
  readonly target?: { readonly version: string; readonly contract: string };
}

/**
 * What can be known before anything is fetched: whether the spec can be meant, whether the provider
 * is the only one of its kind and name or shares with others as it should, and whether there is a core
 * to build on. Throws PhaseError.
 */
export function checkBeforeFetch(input: PreflightInput): void {
  checkSpec(input.self);
  checkHome(input);
  checkOnlyInstance(input);
  checkInstances(input);
  checkCore(input);
}

/** Who may write ConfigMaps or Secrets there could have anything installed, with any rights. */
function checkHome({ self, others }: PreflightInput): void {
  const { spec, metadata } = self.provider;
  const { fetchConfig, secretName, additionalManifests } = spec ?? {};
  const isTaken = [
    ...[fetchConfig?.selector, fetchConfig?.secretName],
    ...[secretName, additionalManifests],
  ].some(Boolean);
  const home = metadata.namespace ?? "";
  const watcher = [self, ...others].find(({ provider }) =>
    provider.spec?.watch?.namespaces?.includes(home),
  );
  if (!isTaken || !watcher) return;
  throw refusal(
    "TenantNamespace",
    `could not take ConfigMaps and Secrets from namespace ${home} for ${describeProvider(self)}: ` +
      `${describeProvider(watcher)} watches it for its users, who may write there; keep providers in ` +
      "namespaces that no spec.watch.namespaces names, or fetch by spec.fetchConfig.url without a Secret and additional manifests",
  );
}

function checkInstances({ self, others }: PreflightInput): void {
  const family = familyOf(self, others);
  const members = [family.self, ...family.others];
  if (members.length === 1 || !members.some(({ view }) => isDivided(view))) return;
  checkDivision(family);
  checkSkew(family);
  checkFirst(family);
}

/** What is installed stays; where neither is, the elder goes first. */
function checkOnlyInstance({ self, others }: PreflightInput): void {
  const rival = others.find((other) => isSameProvider(self, other) && goesBefore(other, self));
  if (!rival) return;
  throw refusal(
    "SecondInstance",
    `could not install ${describeProvider(self)}: there is ${describeProvider(rival)} already; ` +
      "delete one of the two, divide the namespaces among both with spec.watch, or give this one API " +
      "groups of its own with spec.apiGroupSuffix",
  );
}

/** A cluster has one core for each set of API groups, whatever its name; all may share namespaces out. */
function isSameProvider(self: ProviderView, other: ProviderView): boolean {
  if (self.identity.kind !== other.identity.kind || suffixOf(self) !== suffixOf(other))
    return false;
  const isNamesake = self.identity.name === other.identity.name;
  if (isNamesake && isDivided(self) && isDivided(other)) return false;
  return isCore(self) || isNamesake;
}

function isDivided({ provider }: ProviderView): boolean {
  return provider.spec?.watch !== undefined;
}

function goesBefore(a: ProviderView, b: ProviderView): boolean {
  if (isInstalled(a) !== isInstalled(b)) return isInstalled(a);
  return byAge(a, b) < 0;
}

/** What is installed may be changed also while the core is away for a moment, or paused. */
function checkCore({ self, others }: PreflightInput): void {
  const core = coreOf(self, others);
  if (core === self) return;
  if (!core) {
    throw refusal(
      "WaitingForCoreProvider",
      `could not install ${describeProvider(self)} yet: there is no CoreProvider; make one, and this goes on by itself`,
    );
  }
  const isGoing = isLeaving(core);
  if ((core.isReady && !isGoing) || self.installed) return;
  const why = isGoing
    ? "is being deleted; this goes on by itself when another CoreProvider is installed and ready"
    : "is not ready; its conditions say why, and this goes on by itself when it is";
  throw refusal(
    "CoreProviderNotReady",
    `could not install ${describeProvider(self)} yet: ${describeProvider(core)} ${why}`,
  );
}

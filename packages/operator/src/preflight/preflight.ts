import {
  type FetchConfiguration,
  parseProviderVersion,
  VersionError,
  versionChange,
} from "@rookery/components";
import { fieldPath, validateDns1123Subdomain, validateLabelSelector } from "@rookery/kube";
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

/** Checks fields that the schema and the webhook usually reject earlier. Throws PhaseError. */
function checkSpec(self: ProviderView): void {
  const { version, secretName, fetchConfig } = self.provider.spec ?? {};
  if (version !== undefined) checkVersion(self, version);
  if (fetchConfig) checkFetchConfig(self, fetchConfig);
  if (secretName !== undefined) checkSecretName(self, secretName);
}

function checkVersion({ installed, ...self }: ProviderView, version: string): void {
  try {
    parseProviderVersion(version);
  } catch (error) {
    if (!(error instanceof VersionError)) throw error;
    throw preflightError("InvalidVersion", `${error.message}; correct spec.version`);
  }
  if (!installed || versionChange(installed.version, version) !== "downgrade") return;
  throw preflightError(
    "Downgrade",
    `could not change ${describeProvider(self)} from ${installed.version} to ${version}: a provider ` +
      "can go back within one minor version alone; set spec.version to a release of " +
      `${minorOf(installed.version)}, or newer`,
  );
}

function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

function checkFetchConfig(self: ProviderView, { url, selector }: FetchConfiguration): void {
  const problem =
    (url === undefined) === (selector === undefined)
      ? "it has to have exactly one of url and selector"
      : (url !== undefined && problemOfUrl(url)) || problemOfSelector(selector);
  if (!problem) return;
  throw preflightError(
    "InvalidFetchConfig",
    `could not fetch ${describeProvider(self)} as spec.fetchConfig says: ${problem}`,
  );
}

/** Other schemes are for the command line: the files of the operator are no components. */
function problemOfUrl(url: string): string | undefined {
  const { protocol } = URL.parse(url) ?? {};
  if (protocol === "https:" || protocol === "oci:") return undefined;
  return "url has to begin with https:// or oci://; what is in the cluster is fetched by selector";
}

function problemOfSelector(selector: FetchConfiguration["selector"]): string | undefined {
  const [first] = validateLabelSelector(selector, fieldPath("selector"));
  return first?.toString();
}

function checkSecretName(self: ProviderView, secretName: string): void {
  const [problem] = validateDns1123Subdomain(secretName);
  if (problem === undefined) return;
  const { namespace } = self.provider.metadata;
  throw preflightError(
    "InvalidSecretName",
    `could not read the variables of ${describeProvider(self)} from the Secret ` +
      `${JSON.stringify(secretName)}: ${problem}; spec.secretName is a name alone, and the Secret has ` +
      `to be in the provider's own namespace ${namespace}`,
  );
}

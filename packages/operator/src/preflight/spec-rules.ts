import {
  type FetchConfiguration,
  parseProviderVersion,
  VersionError,
  versionChange,
} from "@rookery/components";
import { fieldPath, validateDns1123Subdomain, validateLabelSelector } from "@rookery/kube";
import { preflightError } from "../errors.ts";
import { describeProvider } from "../instances/core-of.ts";
import type { ProviderView } from "../state/provider-view.ts";

/** Checks fields that the schema and the webhook usually reject earlier. Throws PhaseError. */
export function checkSpec(self: ProviderView): void {
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

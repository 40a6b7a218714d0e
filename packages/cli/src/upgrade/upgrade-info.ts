import type { Provider } from "@rookery/api";
import {
  compareVersions,
  contractOf,
  type Metadata,
  parseMetadata,
  parseVersion,
} from "@rookery/components";
import { ProvidersError } from "../errors.ts";
import {
  formatProviderKey,
  type ProviderKey,
  providerKeyOf,
} from "../providers/declared-providers.ts";
import type { ReleaseSource, ReleaseSources } from "../releases/release-source.ts";

/** What can become of one provider. */
export interface UpgradeInfo {
  readonly key: ProviderKey;
  readonly provider: Provider;
  readonly source: ReleaseSource;
  /** The version that is installed, and its contract. */
  readonly current: string;
  readonly contract: string;
  /** Releases that are newer, newest first, each with its contract. */
  readonly newer: readonly { readonly version: string; readonly contract: string }[];
}

/** Reads the releases of its source; as in clusterctl, the newest metadata counts for all. Throws FetchError. */
export async function readUpgradeInfo(
  provider: Provider,
  sources: ReleaseSources,
): Promise<UpgradeInfo> {
  const key = providerKeyOf(provider);
  const source = sources.open(key, provider);
  const current = provider.status?.installedVersion;
  const contract = provider.status?.contract;
  if (current === undefined || contract === undefined) throw notInstalled(key);
  const versions = await source.repository.versions();
  const [newest = current] = versions;
  const metadata = parseMetadata(await source.metadata(newest));
  const isNewer = (version: string) =>
    compareVersions(parseVersion(version), parseVersion(current)) > 0 &&
    parseVersion(version).preRelease === "";
  const newer = versions.filter(isNewer).flatMap((version) => {
    const its = contractIn(metadata, version);
    return its === undefined ? [] : { version, contract: its };
  });
  return { key, provider, source, current, contract, newer };
}

/** A release that no series has is none that could be told the contract of. */
function contractIn(metadata: Metadata, version: string): string | undefined {
  try {
    return contractOf(metadata, version);
  } catch {
    return undefined;
  }
}

function notInstalled(key: ProviderKey): ProvidersError {
  return new ProvidersError("plan an upgrade", [
    `${formatProviderKey(key)} is not installed yet; see its conditions, and try again when it is`,
  ]);
}

import { FetchError, ignoreMissing } from "../errors.ts";
import { type Metadata, newestSeriesOf, parseMetadata } from "../metadata/metadata.ts";
import { parseVersion } from "../versions/semantic-version.ts";
import { metadataFile, type Repository } from "./repository.ts";

/** The number of releases that are tried, as a tag may exist before its files. */
const candidateLimit = 5;

interface LatestOptions {
  /** The contract of the release, such as "v1beta2". */
  readonly contract?: string;
  readonly signal?: AbortSignal;
}

/**
 * The default version, as in clusterctl: the newest release with a metadata.yaml, or a pre-release if
 * there is no other; with a contract, the newest of its newest series. Throws FetchError.
 */
export async function latestVersion(
  repository: Repository,
  options: LatestOptions = {},
): Promise<string> {
  if (repository.pinnedVersion !== undefined) return repository.pinnedVersion;
  const versions = await repository.versions(options.signal);
  const latest = await newestOf(repository, versions, options.signal);
  const series = options.contract && newestSeriesOf(latest.metadata, options.contract);
  const { major, minor } = parseVersion(latest.version);
  if (!series || (series.major === major && series.minor === minor)) return latest.version;
  const patches = versions.filter((version) => {
    const parsed = parseVersion(version);
    return parsed.major === series.major && parsed.minor === series.minor;
  });
  if (patches.length > 0) return (await newestOf(repository, patches, options.signal)).version;
  const names = `${options.contract}, which is that of v${series.major}.${series.minor}`;
  throw noVersions(`no release of the contract ${names}, is there`);
}

async function newestOf(
  repository: Repository,
  versions: readonly string[],
  signal: AbortSignal | undefined,
): Promise<{ version: string; metadata: Metadata }> {
  for (const version of releasesFirst(versions).slice(0, candidateLimit)) {
    const text = await ignoreMissing(repository.file(version, metadataFile, signal));
    if (text !== undefined) return { version, metadata: readLeniently(text) };
  }
  throw noVersions("no release with a semantic version and a metadata.yaml is there");
}

function noVersions(what: string): FetchError {
  return new FetchError("NoVersions", "the latest version", `${what}; set spec.version`);
}

/** v1.0.0 comes before v2.0.0-alpha. */
function releasesFirst(newestFirst: readonly string[]): readonly string[] {
  const isPreRelease = (version: string) => Number(parseVersion(version).preRelease !== "");
  return newestFirst.toSorted((a, b) => isPreRelease(a) - isPreRelease(b));
}

/** A release with invalid metadata may be the latest; its installation reports the error. */
function readLeniently(text: string): Metadata {
  try {
    return parseMetadata(text);
  } catch {
    return { releaseSeries: [] };
  }
}

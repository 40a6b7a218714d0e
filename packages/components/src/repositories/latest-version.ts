import { FetchError } from "../errors.ts";
import { type Metadata, newestSeriesOf, parseMetadata } from "../metadata/metadata.ts";
import { parseVersion, type SemanticVersion } from "../versions/semantic-version.ts";
import { metadataFile, type Repository } from "./repository.ts";

/** How many releases are looked at before the search ends; a tag may be there before its files. */
const candidateLimit = 5;

interface LatestOptions {
  /** Rather the newest release of this contract, such as "v1beta2". */
  readonly contract?: string;
  readonly signal?: AbortSignal;
}

/**
 * The version that clusterctl takes where none is asked for: the newest release that has a
 * metadata.yaml, before any pre-release; with a contract, the newest of its newest series.
 * Throws FetchError.
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
    const text = await readIfThere(repository, version, signal);
    if (text !== undefined) return { version, metadata: readLeniently(text) };
  }
  throw noVersions("no release with a semantic version and a metadata.yaml is there");
}

function noVersions(what: string): FetchError {
  return new FetchError("NoVersions", "the latest version", { why: `${what}; set spec.version` });
}

/** v1.0.0 comes before v2.0.0-alpha. */
function releasesFirst(newestFirst: readonly string[]): string[] {
  const isRelease = (version: SemanticVersion) => version.preRelease === "";
  const releases = newestFirst.filter((version) => isRelease(parseVersion(version)));
  const preReleases = newestFirst.filter((version) => !isRelease(parseVersion(version)));
  return [...releases, ...preReleases];
}

async function readIfThere(
  repository: Repository,
  version: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    return await repository.file(version, metadataFile, signal);
  } catch (error) {
    if (error instanceof FetchError && error.reason === "NotFound") return undefined;
    throw error;
  }
}

/** Broken metadata does not keep a release from being the latest; installing it says what is wrong. */
function readLeniently(text: string): Metadata {
  try {
    return parseMetadata(text);
  } catch {
    return { releaseSeries: [] };
  }
}

import { compareVersions, formatVersion, tryParseVersion } from "../versions/semantic-version.ts";

/** What a source may cost at most. */
export interface DownloadLimits {
  /** Of one answer, after decompression. */
  readonly bytes: number;
  /** For one download with all its redirects. */
  readonly milliseconds: number;
  readonly redirects: number;
}

/** Real components files have up to 3 MB; GitHub redirects once. */
export const defaultLimits: DownloadLimits = {
  bytes: 32 * 1024 * 1024,
  milliseconds: 60_000,
  redirects: 5,
};

export const metadataFile = "metadata.yaml";

/** What a release of a provider has to have. */
export interface ProviderFiles {
  /** YAML of objects that a spec adds to the components. */
  readonly additional?: string;
  readonly components: string;
  readonly metadata: string;
}

/** Where the releases of a provider are. Everything rejects with FetchError. */
export interface Repository {
  /** The version that its URL names, where it names one. */
  readonly pinnedVersion?: string;
  /** How the components file is called in a release. */
  readonly componentsFile: string;
  /** All versions that are semantic, newest first. */
  versions(signal?: AbortSignal): Promise<readonly string[]>;
  /** One file of a release, such as "cluster-template.yaml". */
  file(version: string, name: string, signal?: AbortSignal): Promise<string>;
  files(version: string, signal?: AbortSignal): Promise<ProviderFiles>;
  /** The names of the files of a release; absent where they can't be listed. */
  names?(version: string, signal?: AbortSignal): Promise<readonly string[]>;
}

/** What a repository has of its own. */
interface RepositorySource {
  readonly componentsFile: string;
  readonly pinnedVersion?: string | undefined;
  /** In any order, with whatever else there is. */
  listVersions(signal?: AbortSignal): Promise<readonly string[]>;
  readFile(version: string, name: string, signal?: AbortSignal): Promise<string>;
  listFiles?(version: string, signal?: AbortSignal): Promise<readonly string[]>;
}

export function createRepository(source: RepositorySource): Repository {
  const { pinnedVersion, componentsFile, listFiles } = source;
  return {
    ...(pinnedVersion !== undefined && { pinnedVersion }),
    componentsFile,
    ...(listFiles && { names: listFiles }),
    versions: async (signal) => sortVersions(await source.listVersions(signal)),
    file: (version, name, signal) => source.readFile(version, name, signal),
    files: async (version, signal) => {
      const [components, metadata] = await Promise.all([
        source.readFile(version, componentsFile, signal),
        source.readFile(version, metadataFile, signal),
      ]);
      return { components, metadata };
    },
  };
}

/** Semantic versions once each, newest first, as they are written. */
function sortVersions(versions: readonly string[]): string[] {
  const parsed = [...new Set(versions)].flatMap((text) => {
    const version = tryParseVersion(text);
    return version ? [{ text, version }] : [];
  });
  parsed.sort((a, b) => compareVersions(b.version, a.version) || (a.text < b.text ? -1 : 1));
  return parsed.map(({ text }) => text);
}

/** "v1.2.3" for what a Go module proxy calls it; undefined for what is no version. */
export function normalizeVersion(text: string): string | undefined {
  const version = tryParseVersion(text.trim().replace(/\+incompatible$/, ""));
  return version && formatVersion(version);
}

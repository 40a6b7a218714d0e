import { compareVersions, formatVersion, tryParseVersion } from "../versions/semantic-version.ts";
import type { SourceFile } from "./source-url.ts";

/** The limits of a download. */
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

/** The required files of a release of a provider. */
export interface ProviderFiles {
  readonly additional?: string;
  readonly components: string;
  readonly metadata: string;
}

/** The releases of a provider. All methods throw FetchError. */
export interface Repository {
  /** The version of its URL, if it has one. */
  readonly pinnedVersion?: string;
  /** The name of the components file of a release. */
  readonly componentsFile: string;
  /** All versions that are semantic, newest first. */
  versions(signal?: AbortSignal): Promise<readonly string[]>;
  /** One file of a release, such as "cluster-template.yaml". */
  file(version: string, name: string, signal?: AbortSignal): Promise<string>;
  files(version: string, signal?: AbortSignal): Promise<ProviderFiles>;
  /** The names of the files of a release; absent where they can't be listed. */
  names?(version: string, signal?: AbortSignal): Promise<readonly string[]>;
}

/** The operations of one kind of repository. */
interface RepositoryAccess {
  /** All names of versions, in any order, also those that are not semantic. */
  listVersions(signal?: AbortSignal): Promise<readonly string[]>;
  readFile(version: string, name: string, signal?: AbortSignal): Promise<string>;
  listFiles?(version: string, signal?: AbortSignal): Promise<readonly string[]>;
}

export function createRepository(
  { componentsFile, pinnedVersion }: SourceFile,
  { listVersions, readFile, listFiles }: RepositoryAccess,
): Repository {
  return {
    ...(pinnedVersion !== undefined && { pinnedVersion }),
    componentsFile,
    ...(listFiles && { names: listFiles }),
    versions: async (signal) => sortVersions(await listVersions(signal)),
    file: readFile,
    files: async (version, signal) => {
      const [components, metadata] = await Promise.all([
        readFile(version, componentsFile, signal),
        readFile(version, metadataFile, signal),
      ]);
      return { components, metadata };
    },
  };
}

const pageLimit = 20;

/** The items of all pages of a list, up to a limit. */
export async function readPages<T>(
  read: (page: number) => Promise<{ readonly items: readonly T[]; readonly hasMore: boolean }>,
): Promise<readonly T[]> {
  const all: T[] = [];
  for (let page = 1; page <= pageLimit; page++) {
    const { items, hasMore } = await read(page);
    all.push(...items);
    if (!hasMore) break;
  }
  return all;
}

/** The distinct semantic versions, newest first. */
function sortVersions(versions: readonly string[]): string[] {
  const parsed = [...new Set(versions)].flatMap((text) => {
    const version = tryParseVersion(text);
    return version ? [{ text, version }] : [];
  });
  parsed.sort((a, b) => compareVersions(b.version, a.version) || (a.text < b.text ? -1 : 1));
  return parsed.map(({ text }) => text);
}

/** "v1.2.3" for the name of a Go module proxy; undefined for an invalid version. */
export function normalizeVersion(text: string): string | undefined {
  const version = tryParseVersion(text.trim().replace(/\+incompatible$/, ""));
  return version && formatVersion(version);
}

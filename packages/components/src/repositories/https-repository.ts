import { FetchError } from "../errors.ts";
import type { Downloader } from "./downloader.ts";
import { createRepository, type Repository } from "./repository.ts";

export interface HttpsOptions {
  /** The URL of a file; "{version}" and "{file}" are replaced. */
  readonly fileUrl: string;
  /** A JSON list of versions, or of objects with `tag_name`, as GitHub's API answers. */
  readonly indexUrl: string;
  readonly componentsFile: string;
  readonly pinnedVersion?: string | undefined;
  /** The value of the Authorization header. */
  readonly authorization?: string | undefined;
}

type IndexEntry = string | { readonly tag_name?: string };

/** Releases on any HTTPS server: a mirror of GitHub's releases, or a folder per version. */
export function createHttpsRepository(downloader: Downloader, options: HttpsOptions): Repository {
  const { fileUrl, indexUrl, authorization } = options;
  const listVersions = async (signal?: AbortSignal) => {
    const index = downloader.list<IndexEntry>({ url: indexUrl, authorization, signal });
    const { value } = await index.catch(explainMissingIndex);
    return value.flatMap((entry) => (typeof entry === "string" ? entry : (entry?.tag_name ?? [])));
  };
  return createRepository({
    componentsFile: options.componentsFile,
    pinnedVersion: options.pinnedVersion,
    listVersions,
    readFile: (version, name, signal) => {
      const url = fileUrl
        .replace("{version}", () => encodeURIComponent(version))
        .replace("{file}", () => encodeURIComponent(name));
      return downloader.text({ url, authorization, signal });
    },
  });
}

function explainMissingIndex(error: unknown): never {
  if (!(error instanceof FetchError) || error.reason !== "NotFound") throw error;
  const why =
    "the server has no list of versions there; set spec.version, or put a JSON list of versions at that place";
  throw new FetchError("NoVersions", error.target, { why, cause: error });
}

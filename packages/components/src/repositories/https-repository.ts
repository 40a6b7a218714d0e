import { FetchError } from "../errors.ts";
import { bearer, type Downloader } from "./downloader.ts";
import { createRepository, type Repository } from "./repository.ts";
import type { SourceOf } from "./source-url.ts";

export interface HttpsOptions extends SourceOf<"https"> {
  readonly token?: string | undefined;
}

type IndexEntry = string | { readonly tag_name?: string };

/** Releases on any HTTPS server: a mirror of GitHub's releases, or a folder per version. */
export function createHttpsRepository(downloader: Downloader, options: HttpsOptions): Repository {
  const { fileUrl, indexUrl, token } = options;
  const authorization = bearer(token);
  return createRepository(options, {
    listVersions: async (signal) => {
      const index = downloader.list<IndexEntry>({ url: indexUrl, authorization, signal });
      const { value } = await index.catch(explainMissingIndex);
      return value.flatMap((entry) =>
        typeof entry === "string" ? entry : (entry?.tag_name ?? []),
      );
    },
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

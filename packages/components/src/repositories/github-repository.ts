import { headerValue } from "@rookery/http";
import { FetchError, ignoreMissing } from "../errors.ts";
import { bearer, type Downloader } from "./downloader.ts";
import { createRepository, normalizeVersion, type Repository, readPages } from "./repository.ts";
import type { SourceOf } from "./source-url.ts";

export interface GitHubOptions extends SourceOf<"github"> {
  readonly token?: string | undefined;
  /** The Go module proxy for versions; absent where only the API is used. */
  readonly goProxy?: string | undefined;
}

interface Release {
  readonly tag_name?: string;
  readonly draft?: boolean;
  readonly assets?: readonly { readonly id: number; readonly name: string }[];
}

/**
 * Releases on GitHub, read as clusterctl does: versions from a Go module proxy and files by plain
 * download, neither of which has a rate limit; where that fails, by GitHub's API.
 */
export function createGitHubRepository(downloader: Downloader, options: GitHubOptions): Repository {
  const { owner, repository, token, goProxy } = options;
  const web = `https://github.com/${owner}/${repository}/releases/download`;
  const api = `https://api.github.com/repos/${owner}/${repository}/releases`;
  const authorization = bearer(token);
  const apiRequest = (path: string, signal: AbortSignal | undefined) => ({
    url: `${api}${path}`,
    accept: "application/vnd.github+json",
    authorization,
    signal,
  });
  const listReleases = (signal?: AbortSignal) =>
    readPages(async (page) => {
      const request = apiRequest(`?per_page=100&page=${page}`, signal);
      const { value, headers } = await downloader.list<Release>(request);
      const releases = value.filter((release) => release.draft !== true);
      return {
        items: releases.flatMap((release) => release.tag_name ?? []),
        hasMore: /rel="next"/.test(headerValue(headers, "link") ?? ""),
      };
    });
  const readAsset = async (version: string, name: string, signal?: AbortSignal) => {
    const request = apiRequest(`/tags/${encodeURIComponent(version)}`, signal);
    const { value: release } = await downloader.object<Release>(request);
    const asset = release.assets?.find((one) => one.name === name);
    if (!asset) {
      const why = `the release ${version} of ${owner}/${repository} has no such file`;
      throw new FetchError("NotFound", name, why);
    }
    const accept = "application/octet-stream";
    return downloader.text({ ...apiRequest(`/assets/${asset.id}`, signal), accept });
  };
  return createRepository(options, {
    listVersions: async (signal) => {
      if (goProxy === undefined) return listReleases(signal);
      const module = `github.com/${owner}/${repository}`;
      const versions = listModuleVersions(downloader, { proxy: goProxy, module, signal });
      return versions.catch((error) => {
        if (error instanceof FetchError) return listReleases(signal);
        throw error;
      });
    },
    readFile: async (version, name, signal) => {
      if (goProxy === undefined) return readAsset(version, name, signal);
      const url = `${web}/${encodeURIComponent(version)}/${encodeURIComponent(name)}`;
      return downloader.text({ url, signal }).catch((error) => {
        // Without a token the API shows no more than the page does, and counts for the rate limit.
        const isFinal = error instanceof FetchError && error.reason === "NotFound" && !token;
        if (isFinal || !(error instanceof FetchError)) throw error;
        return readAsset(version, name, signal);
      });
    },
  });
}

const defaultGoProxy = "https://proxy.golang.org";

/**
 * The first Go module proxy of a value of GOPROXY; undefined for "off" or "direct". clusterctl asks it
 * for versions, because it has no rate limit.
 */
export function goProxyOrigin(setting: string): string | undefined {
  const [first = ""] = setting
    .split(/[,|]/)
    .map((entry) => entry.trim())
    .filter(Boolean);
  if (first === "off" || first === "direct") return undefined;
  if (first === "") return defaultGoProxy;
  const url = URL.parse(first.includes(":/") ? first : `https://${first}`);
  if (url) return url.href.replace(/\/+$/, "");
  const target = "versions from the Go module proxy";
  throw new FetchError("InvalidFetchConfig", target, "GOPROXY names no URL there");
}

interface ModuleQuery {
  readonly proxy: string;
  readonly module: string;
  readonly signal?: AbortSignal | undefined;
}

/** The versions of a module in all its major versions. Throws FetchError. */
async function listModuleVersions(
  downloader: Downloader,
  { proxy, module, signal }: ModuleQuery,
): Promise<string[]> {
  // Module proxies write a capital letter as "!" and the small letter.
  const escaped = module.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
  const versions: string[] = [];
  for (let major = 1; ; major++) {
    const suffix = major === 1 ? "" : `/v${major}`;
    const url = `${proxy}/${escaped}${suffix}/@v/list`;
    const list = await ignoreMissing(downloader.text({ url, signal }));
    if (list === undefined) break;
    versions.push(...list.split("\n").flatMap((line) => normalizeVersion(line) ?? []));
  }
  if (versions.length > 0) return versions;
  throw new FetchError("NotFound", `versions of ${module}`, "the Go module proxy has none");
}

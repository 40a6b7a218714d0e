import { headerValue } from "@rookery/http";
import { FetchError } from "../errors.ts";
import type { Downloader, DownloadRequest } from "./downloader.ts";
import { listModuleVersions } from "./go-proxy.ts";
import { createRepository, type Repository } from "./repository.ts";

const pageLimit = 20;

export interface GitHubOptions {
  readonly owner: string;
  readonly repository: string;
  readonly componentsFile: string;
  readonly pinnedVersion?: string | undefined;
  readonly token?: string | undefined;
  /** The Go module proxy to ask for versions first; absent where it is not to be asked. */
  readonly goProxy?: string | undefined;
}

interface Release {
  readonly tag_name?: string;
  readonly draft?: boolean;
  readonly assets?: readonly { readonly id: number; readonly name: string }[];
}

/**
 * Releases on GitHub, in clusterctl's way: versions from a Go module proxy and files by plain
 * download, neither of which has a rate limit; where that fails, by GitHub's API.
 */
export function createGitHubRepository(downloader: Downloader, options: GitHubOptions): Repository {
  const source = new GitHubSource(downloader, options);
  return createRepository({
    componentsFile: options.componentsFile,
    pinnedVersion: options.pinnedVersion,
    listVersions: (signal) => source.listVersions(signal),
    readFile: (version, name, signal) => source.readFile({ version, name, signal }),
  });
}

interface FileQuery {
  readonly version: string;
  readonly name: string;
  readonly signal: AbortSignal | undefined;
}

class GitHubSource {
  readonly #downloader: Downloader;
  readonly #options: GitHubOptions;
  readonly #web: string;
  readonly #api: string;
  readonly #authorization: string | undefined;

  constructor(downloader: Downloader, options: GitHubOptions) {
    const { owner, repository, token } = options;
    this.#downloader = downloader;
    this.#options = options;
    this.#web = `https://github.com/${owner}/${repository}/releases/download`;
    this.#api = `https://api.github.com/repos/${owner}/${repository}/releases`;
    this.#authorization = token ? `Bearer ${token}` : undefined;
  }

  async listVersions(signal: AbortSignal | undefined): Promise<readonly string[]> {
    const { goProxy: proxy, owner, repository } = this.#options;
    if (proxy === undefined) return this.#listReleases(signal);
    const module = `github.com/${owner}/${repository}`;
    return listModuleVersions(this.#downloader, { proxy, module, signal }).catch((error) =>
      this.#otherwise(error, () => this.#listReleases(signal)),
    );
  }

  async readFile(query: FileQuery): Promise<string> {
    if (this.#options.goProxy === undefined) return this.#readAsset(query);
    const { version, name, signal } = query;
    const url = `${this.#web}/${encodeURIComponent(version)}/${encodeURIComponent(name)}`;
    return this.#downloader.text({ url, signal }).catch((error) => {
      // Without a token the API shows no more than the page does, and costs of the rate limit.
      if (isNotFound(error) && !this.#authorization) throw error;
      return this.#otherwise(error, () => this.#readAsset(query));
    });
  }

  #otherwise<T>(error: unknown, next: () => Promise<T>): Promise<T> {
    if (!(error instanceof FetchError)) throw error;
    return next();
  }

  async #listReleases(signal: AbortSignal | undefined): Promise<readonly string[]> {
    const versions: string[] = [];
    for (let page = 1; page <= pageLimit; page++) {
      const url = `${this.#api}?per_page=100&page=${page}`;
      const { value, headers } = await this.#downloader.list<Release>(this.#question(url, signal));
      const releases = value.filter((release) => release.draft !== true);
      versions.push(...releases.flatMap((release) => release.tag_name ?? []));
      if (!/rel="next"/.test(headerValue(headers, "link") ?? "")) break;
    }
    return versions;
  }

  async #readAsset({ version, name, signal }: FileQuery): Promise<string> {
    const url = `${this.#api}/tags/${encodeURIComponent(version)}`;
    const { value: release } = await this.#downloader.object<Release>(this.#question(url, signal));
    const asset = release.assets?.find((one) => one.name === name);
    if (!asset) {
      const { owner, repository } = this.#options;
      const why = `the release ${version} of ${owner}/${repository} has no such file`;
      throw new FetchError("NotFound", name, { why });
    }
    return this.#downloader.text({
      url: `${this.#api}/assets/${asset.id}`,
      accept: "application/octet-stream",
      authorization: this.#authorization,
      signal,
    });
  }

  #question(url: string, signal: AbortSignal | undefined): DownloadRequest {
    const accept = "application/vnd.github+json";
    return { url, accept, authorization: this.#authorization, signal };
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof FetchError && error.reason === "NotFound";
}

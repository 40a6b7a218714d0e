import { headerValue } from "@rookery/http";
import type { Downloader } from "./downloader.ts";
import { createRepository, type Repository } from "./repository.ts";

const pageLimit = 20;

export interface GitLabOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The project's number or its path, percent-encoded. */
  readonly project: string;
  readonly packageName: string;
  readonly componentsFile: string;
  readonly pinnedVersion?: string | undefined;
  readonly token?: string | undefined;
}

/** Releases as generic packages of a GitLab project. clusterctl knows one version; this lists them. */
export function createGitLabRepository(downloader: Downloader, options: GitLabOptions): Repository {
  const { origin, project, packageName, token } = options;
  const packages = `${origin}/api/v4/projects/${project}/packages`;
  const authorization = token ? `Bearer ${token}` : undefined;
  const listVersions = async (signal?: AbortSignal) => {
    const versions: string[] = [];
    const query = `package_type=generic&package_name=${packageName}&per_page=100`;
    for (let page = 1; page <= pageLimit; page++) {
      const url = `${packages}?${query}&page=${page}`;
      const { value, headers } = await downloader.list<GenericPackage>({
        url,
        authorization,
        signal,
      });
      // GitLab finds names by likeness.
      const own = value.filter(({ name }) => name === decodeURIComponent(packageName));
      versions.push(...own.map(({ version }) => version));
      if (!headerValue(headers, "x-next-page")) break;
    }
    return versions;
  };
  return createRepository({
    componentsFile: options.componentsFile,
    pinnedVersion: options.pinnedVersion,
    listVersions,
    readFile: (version, name, signal) => {
      const path = `${packageName}/${encodeURIComponent(version)}/${encodeURIComponent(name)}`;
      return downloader.text({ url: `${packages}/generic/${path}`, authorization, signal });
    },
  });
}

interface GenericPackage {
  readonly name: string;
  readonly version: string;
}

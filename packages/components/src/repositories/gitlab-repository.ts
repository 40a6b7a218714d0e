import { headerValue } from "@rookery/http";
import { bearer, type Downloader } from "./downloader.ts";
import { createRepository, type Repository, readPages } from "./repository.ts";
import type { SourceOf } from "./source-url.ts";

export interface GitLabOptions extends SourceOf<"gitlab"> {
  readonly token?: string | undefined;
}

interface GenericPackage {
  readonly name: string;
  readonly version: string;
}

/** Releases as generic packages of a GitLab project. clusterctl knows one version; this lists them. */
export function createGitLabRepository(downloader: Downloader, options: GitLabOptions): Repository {
  const { origin, project, packageName, token } = options;
  const packages = `${origin}/api/v4/projects/${project}/packages`;
  const authorization = bearer(token);
  const query = `package_type=generic&package_name=${packageName}&per_page=100`;
  return createRepository(options, {
    listVersions: (signal) =>
      readPages(async (page) => {
        const request = { url: `${packages}?${query}&page=${page}`, authorization, signal };
        const { value, headers } = await downloader.list<GenericPackage>(request);
        // GitLab also returns packages with similar names.
        const own = value.filter(({ name }) => name === decodeURIComponent(packageName));
        const hasMore = Boolean(headerValue(headers, "x-next-page"));
        return { items: own.map(({ version }) => version), hasMore };
      }),
    readFile: (version, name, signal) => {
      const path = `${packageName}/${encodeURIComponent(version)}/${encodeURIComponent(name)}`;
      return downloader.text({ url: `${packages}/generic/${path}`, authorization, signal });
    },
  });
}

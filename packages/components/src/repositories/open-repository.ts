import { FetchError } from "../errors.ts";
import { defaultProviderUrl } from "../providers/default-providers.ts";
import { type ProviderIdentity, providerLabel } from "../providers/provider.ts";
import type { FetchConfiguration } from "../spec/provider-spec.ts";
import type { VariableLookup } from "../variables/variables.ts";
import { type ConfigMapSource, createConfigMapRepository } from "./config-map-repository.ts";
import type { Downloader } from "./downloader.ts";
import { createFolderRepository } from "./folder-repository.ts";
import { createGitHubRepository } from "./github-repository.ts";
import { createGitLabRepository } from "./gitlab-repository.ts";
import { goProxyOrigin } from "./go-proxy.ts";
import { createHttpsRepository } from "./https-repository.ts";
import { createOciRepository } from "./oci-repository.ts";
import type { Repository } from "./repository.ts";
import { parseSource, type Source } from "./source-url.ts";

/** Variables that say how to fetch; they come from the same Secret as the others. */
export const fetchVariables = {
  githubToken: "GITHUB_TOKEN",
  gitlabToken: "GITLAB_ACCESS_TOKEN",
  /** A bearer token for any other HTTPS server. */
  token: "FETCH_TOKEN",
  /** Authorities to trust beside the system's, in PEM. */
  ca: "FETCH_CA_CERTIFICATE",
  ociUsername: "OCI_USERNAME",
  ociPassword: "OCI_PASSWORD",
  ociAccessToken: "OCI_ACCESS_TOKEN",
  goProxy: "GOPROXY",
} as const;

export interface OpenOptions {
  readonly provider: ProviderIdentity;
  /** The embedded default for the provider where absent. */
  readonly fetchConfig?: FetchConfiguration | undefined;
  readonly variables: VariableLookup;
  readonly downloader: Downloader;
  /** Lists what the selector of the fetch configuration selects. */
  readonly configMaps?: ConfigMapSource;
}

/** The repository that a fetch configuration means. Throws FetchError. */
export function openRepository(options: OpenOptions): Repository {
  const { provider, fetchConfig } = options;
  const { url, selector } = fetchConfig ?? { url: defaultUrl(provider) };
  if ((url === undefined) === (selector === undefined)) {
    const why = "spec.fetchConfig has to have exactly one of url and selector";
    throw new FetchError("InvalidFetchConfig", providerLabel(provider), { why });
  }
  if (url !== undefined) return openUrl(parseSource(url, provider), options);
  if (options.configMaps) return createConfigMapRepository(options.configMaps);
  const why = "there is no cluster to read ConfigMaps from";
  throw new FetchError("InvalidFetchConfig", providerLabel(provider), { why });
}

function defaultUrl(provider: ProviderIdentity): string {
  const url = defaultProviderUrl(provider);
  if (url !== undefined) return url;
  const why = `no ${provider.kind} of this name is known; set spec.fetchConfig`;
  throw new FetchError("UnknownProvider", providerLabel(provider), { why });
}

function openUrl(source: Source, options: OpenOptions): Repository {
  const { downloader, variables } = options;
  const valueFor = (name: keyof typeof fetchVariables) =>
    variables(fetchVariables[name]) || undefined;
  switch (source.type) {
    case "github": {
      const goProxy = goProxyOrigin(valueFor("goProxy") ?? "");
      return createGitHubRepository(downloader, {
        ...source,
        goProxy,
        token: valueFor("githubToken"),
      });
    }
    case "gitlab":
      return createGitLabRepository(downloader, { ...source, token: valueFor("gitlabToken") });
    case "https": {
      const token = valueFor("token");
      return createHttpsRepository(downloader, {
        ...source,
        authorization: token && `Bearer ${token}`,
      });
    }
    case "folder":
      return createFolderRepository(source);
    case "oci":
      return createOciRepository(downloader, {
        ...source,
        componentsFiles: ociComponentsFiles(source.componentsFile, options.provider),
        credentials: {
          username: valueFor("ociUsername"),
          password: valueFor("ociPassword"),
          accessToken: valueFor("ociAccessToken"),
        },
      });
  }
}

/** What cluster-api-operator looks for, in its order. */
function ociComponentsFiles(componentsFile: string, provider: ProviderIdentity): string[] {
  const full = `${providerLabel(provider)}-{version}-components.yaml`;
  return [full, componentsFile, "components.yaml"];
}

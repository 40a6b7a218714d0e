import { FetchError } from "../errors.ts";
import { defaultProviderUrl } from "../providers/default-providers.ts";
import { type ProviderIdentity, providerLabel } from "../providers/provider.ts";
import type { FetchConfiguration } from "../spec/provider-spec.ts";
import type { VariableLookup } from "../variables/variables.ts";
import { type ConfigMapSource, createConfigMapRepository } from "./config-map-repository.ts";
import type { Downloader } from "./downloader.ts";
import { createFolderRepository } from "./folder-repository.ts";
import { createGitHubRepository, goProxyOrigin } from "./github-repository.ts";
import { createGitLabRepository } from "./gitlab-repository.ts";
import { createHttpsRepository } from "./https-repository.ts";
import { createOciRepository } from "./oci-repository.ts";
import type { Repository } from "./repository.ts";
import { parseSource, type Source } from "./source-url.ts";

/** Variables for fetching; they come from the same Secret as the others. */
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
  /** The ConfigMaps of the selector of the fetch configuration. */
  readonly configMaps?: ConfigMapSource;
}

/** Opens the repository of a fetch configuration. Throws FetchError. */
export function openRepository(options: OpenOptions): Repository {
  const { provider, fetchConfig, configMaps } = options;
  const invalid = (why: string) =>
    new FetchError("InvalidFetchConfig", providerLabel(provider), why);
  const { url, selector } = fetchConfig ?? { url: defaultUrl(provider) };
  if ((url === undefined) === (selector === undefined)) {
    throw invalid("spec.fetchConfig has to have exactly one of url and selector");
  }
  if (url !== undefined) return openUrl(parseSource(url, provider), options);
  if (configMaps) return createConfigMapRepository(configMaps);
  throw invalid("there is no cluster to read ConfigMaps from");
}

function defaultUrl(provider: ProviderIdentity): string {
  const url = defaultProviderUrl(provider);
  if (url !== undefined) return url;
  const why = `no ${provider.kind} of this name is known; set spec.fetchConfig`;
  throw new FetchError("UnknownProvider", providerLabel(provider), why);
}

function openUrl(source: Source, { downloader, variables, provider }: OpenOptions): Repository {
  const variable = (name: keyof typeof fetchVariables) =>
    variables(fetchVariables[name]) || undefined;
  switch (source.type) {
    case "github": {
      const goProxy = goProxyOrigin(variable("goProxy") ?? "");
      return createGitHubRepository(downloader, {
        ...source,
        goProxy,
        token: variable("githubToken"),
      });
    }
    case "gitlab":
      return createGitLabRepository(downloader, { ...source, token: variable("gitlabToken") });
    case "https":
      return createHttpsRepository(downloader, { ...source, token: variable("token") });
    case "folder":
      return createFolderRepository(source);
    case "oci": {
      const { componentsFile, ...place } = source;
      // The names that cluster-api-operator looks for, in its order.
      const first = `${providerLabel(provider)}-{version}-components.yaml`;
      return createOciRepository(downloader, {
        ...place,
        componentsFiles: [first, componentsFile, "components.yaml"],
        credentials: {
          username: variable("ociUsername"),
          password: variable("ociPassword"),
          accessToken: variable("ociAccessToken"),
        },
      });
    }
  }
}

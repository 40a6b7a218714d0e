import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import {
  Downloader,
  type DownloaderOptions,
  fetchVariables,
  latestVersion,
  listConfigMaps,
  metadataFile,
  openRepository,
  type ProviderFiles,
  type Repository,
  type VariableLookup,
} from "@rookery/components";
import { identityOf } from "../identity/identity.ts";
import { asPhase } from "./failures.ts";
import { withCredentials } from "./fetch-credentials.ts";

interface Dependencies {
  readonly client: Client;
  readonly downloader: DownloaderOptions;
}

/** The releases of a provider. */
export interface ProviderSource {
  /** The newest release; of a contract, if the newest metadata knows it. Throws PhaseError. */
  latestVersion(contract: string | undefined, signal: AbortSignal): Promise<string>;
  /** metadata.yaml of a version. Throws PhaseError. */
  metadata(version: string, signal: AbortSignal): Promise<string>;
  /** Throws PhaseError. */
  fetch(version: string, signal: AbortSignal): Promise<ProviderFiles>;
}

export function openSource(
  provider: Provider,
  variables: VariableLookup,
  dependencies: Dependencies,
): ProviderSource {
  const use = <T>(request: (repository: Repository) => Promise<T>): Promise<T> =>
    asPhase(async () => {
      const credentials = await withCredentials(provider, variables, dependencies.client);
      // Connections are not kept, because fetches are rare.
      await using downloader = new Downloader(trusting(dependencies.downloader, variables));
      return await request(open(provider, { ...dependencies, variables: credentials, downloader }));
    });
  return {
    latestVersion: (contract, signal) =>
      use((repository) => latestVersion(repository, { signal, ...(contract && { contract }) })),
    metadata: (version, signal) =>
      use((repository) => repository.file(version, metadataFile, signal)),
    fetch: (version, signal) => use((repository) => repository.files(version, signal)),
  };
}

interface Opening {
  readonly client: Client;
  readonly variables: VariableLookup;
  readonly downloader: Downloader;
}

function open(provider: Provider, { client, variables, downloader }: Opening): Repository {
  const { namespace = "" } = provider.metadata;
  const fetchConfig = provider.spec?.fetchConfig;
  const selector = fetchConfig?.selector;
  return openRepository({
    provider: identityOf(provider),
    fetchConfig,
    variables,
    downloader,
    ...(selector && { configMaps: listConfigMaps(client, { namespace, selector }) }),
  });
}

/** The downloader options with the authority in the variables of the provider. */
function trusting(options: DownloaderOptions, variables: VariableLookup): DownloaderOptions {
  const ca = [options.ca, variables(fetchVariables.ca)].filter(Boolean).join("\n");
  return ca === "" ? options : { ...options, ca };
}

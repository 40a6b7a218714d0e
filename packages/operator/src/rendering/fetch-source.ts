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

/** Where the releases of a provider are. */
export interface ProviderSource {
  /** The newest release, of a contract where one is named and the newest metadata knows it. Throws PhaseError. */
  latestVersion(contract: string | undefined, signal: AbortSignal): Promise<string>;
  /** metadata.yaml of a version. Throws PhaseError. */
  metadata(version: string, signal: AbortSignal): Promise<string>;
  /** Throws PhaseError. */
  fetch(version: string, signal: AbortSignal): Promise<ProviderFiles>;
}

/** Opens what the fetch configuration of a provider names. */
export function openSource(
  provider: Provider,
  variables: VariableLookup,
  dependencies: Dependencies,
): ProviderSource {
  const use = <T>(signal: AbortSignal, ask: (repository: Repository) => Promise<T>): Promise<T> =>
    asPhase(async () => {
      const { client } = dependencies;
      const credentials = await withCredentials(provider, variables, { client, signal });
      // Fetches are rare: connections are not worth keeping.
      await using downloader = new Downloader(trusting(dependencies.downloader, variables));
      return await ask(open(provider, { ...dependencies, variables: credentials, downloader }));
    });
  return {
    latestVersion: (contract, signal) =>
      use(signal, (repository) =>
        latestVersion(repository, { signal, ...(contract && { contract }) }),
      ),
    metadata: (version, signal) =>
      use(signal, (repository) => repository.file(version, metadataFile, signal)),
    fetch: (version, signal) => use(signal, (repository) => repository.files(version, signal)),
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

/** A private authority comes from the same Secret as the other variables. */
function trusting(options: DownloaderOptions, variables: VariableLookup): DownloaderOptions {
  const ca = [options.ca, variables(fetchVariables.ca)].filter(Boolean).join("\n");
  return ca === "" ? options : { ...options, ca };
}

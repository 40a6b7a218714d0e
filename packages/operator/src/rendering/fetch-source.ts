import type { Provider } from "@rookery/api";
import { type Client, getOptional } from "@rookery/client";
import {
  Downloader,
  type DownloaderOptions,
  dockerCredentials,
  fetchVariables,
  latestVersion,
  listConfigMaps,
  metadataFile,
  openRepository,
  type ProviderFiles,
  type Repository,
  type VariableLookup,
} from "@rookery/components";
import { PhaseError } from "../errors.ts";
import { identityOf } from "../identity/identity.ts";
import { secrets } from "../resources.ts";
import type { SecretObject } from "../state/state-secrets.ts";
import { asPhase } from "./failures.ts";

interface Dependencies {
  readonly client: Client;
  readonly downloader: DownloaderOptions;
}

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
  { client, downloader: options }: Dependencies,
): ProviderSource {
  const use = <T>(request: (repository: Repository) => Promise<T>): Promise<T> =>
    asPhase(async () => {
      const { namespace = "" } = provider.metadata;
      const fetchConfig = provider.spec?.fetchConfig;
      const selector = fetchConfig?.selector;
      // Connections are not kept, because fetches are rare.
      await using downloader = new Downloader(trusting(options, variables));
      const repository = openRepository({
        provider: identityOf(provider),
        fetchConfig,
        variables: await withCredentials(provider, variables, client),
        downloader,
        ...(selector && { configMaps: listConfigMaps(client, { namespace, selector }) }),
      });
      return await request(repository);
    });
  return {
    latestVersion: (contract, signal) =>
      use((repository) => latestVersion(repository, { signal, ...(contract && { contract }) })),
    metadata: (version, signal) =>
      use((repository) => repository.file(version, metadataFile, signal)),
    fetch: (version, signal) => use((repository) => repository.files(version, signal)),
  };
}

/** The downloader options with the authority in the variables of the provider. */
function trusting(options: DownloaderOptions, variables: VariableLookup): DownloaderOptions {
  const ca = [options.ca, variables(fetchVariables.ca)].filter(Boolean).join("\n");
  return ca === "" ? options : { ...options, ca };
}

/** No authorities or addresses: the Secret is not pinned, and managers can often write it. */
const credentialNames: ReadonlySet<string> = new Set([
  fetchVariables.githubToken,
  fetchVariables.gitlabToken,
  fetchVariables.token,
  fetchVariables.ociUsername,
  fetchVariables.ociPassword,
  fetchVariables.ociAccessToken,
]);
const dockerConfigKey = ".dockerconfigjson";

/** The provider's variables, overridden by spec.fetchConfig.secretName. Throws PhaseError. */
async function withCredentials(
  { metadata, spec }: Provider,
  variables: VariableLookup,
  client: Pick<Client, "resource">,
): Promise<VariableLookup> {
  const { secretName: name, url = "" } = spec?.fetchConfig ?? {};
  if (name === undefined) return variables;
  const { namespace = "" } = metadata;
  const secret = await getOptional(client.resource<SecretObject>(secrets), { namespace, name });
  if (secret === undefined) throw notFound(name, namespace);
  const read = (key: string) => {
    const value = secret.data?.[key];
    return value === undefined ? undefined : Buffer.from(value, "base64").toString();
  };
  const docker = dockerCredentials(read(dockerConfigKey) ?? "", url) ?? {};
  const known: Readonly<Record<string, string | undefined>> = {
    [fetchVariables.ociUsername]: docker.username,
    [fetchVariables.ociPassword]: docker.password,
    [fetchVariables.ociAccessToken]: docker.accessToken,
  };
  return (variable) =>
    (credentialNames.has(variable) ? (known[variable] ?? read(variable)) : undefined) ??
    variables(variable);
}

function notFound(name: string, namespace: string): PhaseError {
  const message =
    `could not read the credentials of spec.fetchConfig from Secret ${JSON.stringify(name)} in namespace ` +
    `${namespace}: it is not there; make it, and it goes on by itself`;
  return new PhaseError("ProviderFetched", "SecretNotFound", { message });
}

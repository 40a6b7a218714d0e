import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import {
  type Downloader,
  defaultProviderUrl,
  type FetchConfiguration,
  FetchError,
  listConfigMaps,
  metadataFile,
  openRepository,
  type ProviderFiles,
  type ProviderIdentity,
  providerLabel,
  type Repository,
  type VariableLookup,
} from "@rookery/components";
import type { CommandIo } from "../command.ts";
import { type CommandConfig, createDownloader } from "../config/read-config.ts";
import { isSame } from "../providers/provider-flags.ts";

export interface Release extends ProviderFiles {
  readonly version: string;
  /** Whether some of its files are on this machine, where the operator can't read them. */
  readonly isLocal: boolean;
}

/** The releases of a provider. All methods throw FetchError. */
export interface ReleaseSource {
  readonly repository: Repository;
  /** The URL of its releases; empty for an unknown provider and for ConfigMaps. */
  readonly url: string;
  /** The configuration by which the operator finds them too; undefined where it needs none. */
  readonly fetchConfig?: FetchConfiguration;
  file(version: string, name: string): Promise<string>;
  metadata(version: string): Promise<string>;
  fetch(version: string): Promise<Release>;
}

/** Opens the releases of providers: of the overrides folder, else of their repositories. */
export class ReleaseSources implements AsyncDisposable {
  readonly downloader: Downloader;
  readonly variable: VariableLookup;
  readonly #config: CommandConfig;
  readonly #client: Client | undefined;

  constructor(config: CommandConfig, io: Pick<CommandIo, "env">, client?: Client) {
    this.downloader = createDownloader(config.variable, io);
    this.variable = config.variable;
    this.#config = config;
    this.#client = client;
  }

  /**
   * The configuration takes precedence over the provider's object, and both over the URLs that
   * clusterctl knows. The repository is opened when it is needed.
   */
  open(
    identity: ProviderIdentity,
    provider?: Provider,
    client: Client | undefined = this.#client,
  ): ReleaseSource {
    const configured = this.#config.providers.find((one) => isSame(one, identity));
    const fetchConfig = configured ? { url: configured.url } : provider?.spec?.fetchConfig;
    const isLocal = fetchConfig?.url !== undefined && /^(file:|\/)/.test(fetchConfig.url);
    let opened: Repository | undefined;
    const repository = () => {
      opened ??= this.#openRepository(identity, fetchConfig, configMapsOf(provider, client));
      return opened;
    };
    const override = (version: string, name: string) => this.#override(identity, version, name);
    const file = async (version: string, name: string) =>
      (await override(version, name)) ?? repository().file(version, name);
    return {
      get repository() {
        return repository();
      },
      url: fetchConfig ? (fetchConfig.url ?? "") : (defaultProviderUrl(identity) ?? ""),
      ...(fetchConfig && !isLocal && { fetchConfig }),
      file,
      metadata: (version) => file(version, metadataFile),
      fetch: async (version) => {
        const components = await override(version, repository().componentsFile);
        const metadata = await override(version, metadataFile);
        const overrides = { ...(components && { components }), ...(metadata && { metadata }) };
        const isWhole = components !== undefined && metadata !== undefined;
        const files = isWhole ? { components, metadata } : await repository().files(version);
        const hasOverrides = Object.keys(overrides).length > 0;
        return { version, ...files, ...overrides, isLocal: isLocal || hasOverrides };
      },
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.downloader[Symbol.asyncDispose]();
  }

  #openRepository(
    provider: ProviderIdentity,
    fetchConfig: FetchConfiguration | undefined,
    configMaps: ReturnType<typeof configMapsOf>,
  ): Repository {
    const { downloader, variable: variables } = this;
    return openRepository({
      provider,
      fetchConfig,
      downloader,
      variables,
      ...(configMaps && { configMaps }),
    });
  }

  /** A file of the overrides folder; undefined where it has none. */
  async #override(
    identity: ProviderIdentity,
    version: string,
    name: string,
  ): Promise<string | undefined> {
    const path = join(this.#config.overridesFolder, providerLabel(identity), version, name);
    try {
      return await readFile(path, "utf8");
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      throw new FetchError("Unavailable", path, { why: `it cannot be read (${code})`, cause });
    }
  }
}

function configMapsOf(provider: Provider | undefined, client: Client | undefined) {
  const selector = provider?.spec?.fetchConfig?.selector;
  const namespace = provider?.metadata.namespace;
  if (!selector || !namespace || !client) return undefined;
  return listConfigMaps(client, { namespace, selector });
}

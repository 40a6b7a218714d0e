import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Provider } from "@rookery/api";
import { type Client, proxyFromEnvironment } from "@rookery/client";
import {
  Downloader,
  type FetchConfiguration,
  FetchError,
  fetchVariables,
  listConfigMaps,
  openRepository,
  type ProviderFiles,
  type ProviderIdentity,
  providerLabel,
  type Repository,
} from "@rookery/components";
import type { CommandIo } from "../command.ts";
import type { CommandConfig } from "../config/read-config.ts";
import { isSame } from "../providers/provider-flags.ts";

/** One release of a provider. */
export interface Release extends ProviderFiles {
  readonly version: string;
  /** Whether some of it lies on this machine, where the operator can't read it. */
  readonly isLocal: boolean;
}

/** Where the releases of a provider are. Everything rejects with FetchError. */
export interface ReleaseSource {
  readonly repository: Repository;
  /** What the operator has to be told to find the same; undefined where it knows by itself. */
  readonly fetchConfig?: FetchConfiguration;
  /** The metadata of a version: which contracts there are. */
  metadata(version: string): Promise<string>;
  fetch(version: string): Promise<Release>;
}

const metadataFile = "metadata.yaml";

/** Opens sources of releases, as the configuration and the objects of providers name them. */
export class ReleaseSources implements AsyncDisposable {
  readonly #config: CommandConfig;
  readonly #client: Client | undefined;
  readonly #downloader: Downloader;

  constructor(config: CommandConfig, io: Pick<CommandIo, "env">, client?: Client) {
    const ca = config.variable(fetchVariables.ca);
    this.#config = config;
    this.#client = client;
    this.#downloader = new Downloader({
      ...(ca && { ca }),
      proxy: (origin) => proxyFromEnvironment(origin, io.env),
    });
  }

  /** The configuration wins over the object, and both over what clusterctl knows. Errors: FetchError. */
  open(identity: ProviderIdentity, provider?: Provider): ReleaseSource {
    const { providers } = this.#config;
    const configured = providers.find(({ type, name }) => isSame({ kind: type, name }, identity));
    const fetchConfig = configured ? { url: configured.url } : provider?.spec?.fetchConfig;
    const repository = openRepository({
      provider: identity,
      fetchConfig,
      downloader: this.#downloader,
      variables: this.#config.variable,
      ...this.#configMaps(fetchConfig, provider),
    });
    const isLocal = fetchConfig?.url !== undefined && /^(file:|\/)/.test(fetchConfig.url);
    const override = (version: string, name: string) => this.#override(identity, version, name);
    return {
      repository,
      ...(fetchConfig && !isLocal && { fetchConfig }),
      metadata: async (version) =>
        (await override(version, metadataFile)) ?? repository.file(version, metadataFile),
      fetch: async (version) => {
        const components = await override(version, repository.componentsFile);
        const metadata = await override(version, metadataFile);
        const isWhole = components !== undefined && metadata !== undefined;
        const overrides = { ...(components && { components }), ...(metadata && { metadata }) };
        const files = isWhole ? { components, metadata } : await repository.files(version);
        const isLocalRelease = isLocal || Object.keys(overrides).length > 0;
        return { version, ...files, ...overrides, isLocal: isLocalRelease };
      },
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#downloader[Symbol.asyncDispose]();
  }

  #configMaps(fetchConfig: FetchConfiguration | undefined, provider: Provider | undefined) {
    const selector = fetchConfig?.selector;
    const namespace = provider?.metadata.namespace;
    if (!selector || !namespace || !this.#client) return {};
    return { configMaps: listConfigMaps(this.#client, { namespace, selector }) };
  }

  /** A file of the overrides folder takes the place of one of the repository. */
  async #override(
    identity: ProviderIdentity,
    version: string,
    name: string,
  ): Promise<string | undefined> {
    const { overridesFolder } = this.#config;
    const path = join(overridesFolder, providerLabel(identity), version, name);
    try {
      return await readFile(path, "utf8");
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      throw new FetchError("Unavailable", path, { why: `it cannot be read (${code})`, cause });
    }
  }
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { proxyFromEnvironment } from "@rookery/client";
import {
  type ConfigMapSource,
  Downloader,
  type FetchConfiguration,
  FetchError,
  fetchVariables,
  openRepository,
  type ProviderIdentity,
  providerLabel,
  type Repository,
} from "@rookery/components";
import type { CommandIo } from "../command.ts";
import type { CommandConfig } from "../config/read-config.ts";

/** Where the releases of a provider come from. */
export interface ReleasePlace {
  readonly provider: ProviderIdentity;
  /** What the provider's object says, where there is one. */
  readonly fetchConfig?: FetchConfiguration | undefined;
  readonly configMaps?: ConfigMapSource | undefined;
}

/** Reads files of releases: of the overrides folder, else of where the configuration says they are. */
export class ReleaseFiles implements AsyncDisposable {
  readonly downloader: Downloader;
  readonly #config: CommandConfig;

  constructor(config: CommandConfig, { env }: Pick<CommandIo, "env">) {
    const ca = config.variable(fetchVariables.ca);
    this.#config = config;
    this.downloader = new Downloader({
      ...(ca && { ca }),
      proxy: (origin) => proxyFromEnvironment(origin, env),
    });
  }

  /** Of the configuration, of the provider's object, or as clusterctl knows it. */
  fetchConfigOf({ provider, fetchConfig }: ReleasePlace): FetchConfiguration | undefined {
    const { kind, name } = provider;
    const configured = this.#config.providers.find((one) => one.type === kind && one.name === name);
    return configured ? { url: configured.url } : fetchConfig;
  }

  /** Errors: FetchError. */
  repository(place: ReleasePlace): Repository {
    const { provider, configMaps } = place;
    return openRepository({
      provider,
      fetchConfig: this.fetchConfigOf(place),
      downloader: this.downloader,
      variables: this.#config.variable,
      ...(configMaps && { configMaps }),
    });
  }

  /** Errors: FetchError. */
  async read(place: ReleasePlace, version: string, name: string): Promise<string> {
    const folder = join(this.#config.overridesFolder, providerLabel(place.provider), version);
    const path = join(folder, name);
    try {
      return await readFile(path, "utf8");
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") {
        return this.repository(place).file(version, name);
      }
      throw new FetchError("Unavailable", path, { why: `it cannot be read (${code})`, cause });
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.downloader[Symbol.asyncDispose]();
  }
}

import { readFile } from "node:fs/promises";
import { proxyFromEnvironment } from "@rookery/client";
import {
  type ClusterctlSettings,
  Downloader,
  FetchError,
  fetchVariables,
  type ImageOverrides,
  noSettings,
  type ProviderKind,
  parseClusterctlSettings,
  replaceVariables,
  SettingsError,
  type VariableLookup,
} from "@rookery/components";
import { messageOf } from "@rookery/errors";
import type { CommandIo } from "../command.ts";
import type { ConfigFlags } from "./config-flag.ts";
import { findConfigFile, usualOverridesFolder } from "./config-places.ts";

/** What a user has configured for clusterctl, or for us, with the variables of the environment. */
export interface CommandConfig {
  /** The file that was read; undefined where there is none. */
  readonly file?: string;
  /** The value of a variable: of the environment, else of the file. */
  readonly variable: VariableLookup;
  /** Those of the file alone; they win over those that clusterctl knows. */
  readonly providers: readonly {
    readonly name: string;
    readonly type: ProviderKind;
    readonly url: string;
  }[];
  /** Image overrides by "all", component, and component/image. */
  readonly images: ImageOverrides;
  /** `<folder>/<provider label>/<version>/<file>` takes the place of a file of a repository. */
  readonly overridesFolder: string;
}

/**
 * Reads the file or URL that `--config` names, or the usual file where there is one. Errors: SettingsError,
 * FetchError.
 */
export async function readConfig(flags: ConfigFlags, io: CommandIo): Promise<CommandConfig> {
  const file = flags.config ?? (await findConfigFile(io));
  const settings = file === undefined ? noSettings : await readSettings(file, io);
  if (settings.certManager) {
    io.writeError(
      `Note: cert-manager in ${file} is not used: the operator issues certificates itself where ` +
        "there is no cert-manager, and uses the one that there is.\n",
    );
  }
  const withEnvironment = (text: string) => replaceVariables(text, (name) => io.env[name] ?? "");
  const { overridesFolder, providers, imageOverrides } = settings;
  return {
    ...(file !== undefined && { file }),
    variable: lookup(settings, io),
    providers: providers.map(({ kind, name, url }) => ({
      name,
      type: kind,
      url: withEnvironment(url),
    })),
    images: imageOverrides,
    overridesFolder: overridesFolder
      ? withEnvironment(overridesFolder)
      : await usualOverridesFolder(io),
  };
}

async function readSettings(file: string, io: CommandIo): Promise<ClusterctlSettings> {
  try {
    const text = isUrl(file) ? await download(file, io) : await readFile(file, "utf8");
    return parseClusterctlSettings(text, file);
  } catch (error) {
    if (error instanceof SettingsError || error instanceof FetchError) throw error;
    const why = messageOf(error);
    throw new SettingsError(file, `${why}; --config names another file`, { cause: error });
  }
}

function isUrl(file: string): boolean {
  return /^https?:\/\//i.test(file);
}

/** What a configuration would say of how to fetch, the environment has to say here. */
async function download(url: string, { env }: CommandIo): Promise<string> {
  const ca = env[fetchVariables.ca];
  const proxy = (origin: string) => proxyFromEnvironment(origin, env);
  await using downloader = new Downloader({ ...(ca && { ca }), proxy });
  return await downloader.text({ url });
}

/** Names are as clusterctl finds them: upper case in the environment, any case in the file. */
function lookup({ variables }: ClusterctlSettings, { env }: CommandIo): VariableLookup {
  const file = new Map(
    Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return (name) =>
    env[name] ?? env[name.toUpperCase().replaceAll("-", "_")] ?? file.get(name.toLowerCase());
}

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Client, proxyFromEnvironment } from "@rookery/client";
import {
  type ClusterctlSettings,
  type ConfiguredProvider,
  Downloader,
  FetchError,
  fetchVariables,
  type ImageOverrides,
  noSettings,
  parseClusterctlSettings,
  replaceVariables,
  SettingsError,
  type VariableLookup,
} from "@rookery/components";
import { messageOf } from "@rookery/errors";
import type { CommandIo } from "../command.ts";
import type { ConfigFlags } from "../flags.ts";

/** The user's configuration for clusterctl or Rookery, with the variables of the environment. */
export interface CommandConfig {
  /** The file that was read; undefined without one. */
  readonly file?: string;
  /** Looks up a variable: of the environment, else of the file. */
  readonly variable: VariableLookup;
  /** The providers of the file, which take precedence over those that clusterctl knows. */
  readonly providers: readonly ConfiguredProvider[];
  /** Image overrides by "all", component, and component/image. */
  readonly images: ImageOverrides;
  /** `<folder>/<provider label>/<version>/<file>` replaces a file of a repository. */
  readonly overridesFolder: string;
}

/** The dependencies of commands that change providers. */
export interface CommandTools {
  readonly client: Client;
  readonly io: CommandIo;
  readonly config: CommandConfig;
}

/**
 * Reads the file or URL of `--config`, or the first default file that exists. Throws SettingsError and
 * FetchError.
 */
export async function readConfig(flags: ConfigFlags, io: CommandIo): Promise<CommandConfig> {
  const folders = configFolders(io);
  const defaults = configFiles.flatMap((name) => folders.map((folder) => join(folder, name)));
  const file = flags.config ?? defaults.find((path) => existsSync(path));
  const settings = file === undefined ? noSettings : await readSettings(file, io);
  if (settings.certManager) {
    io.writeError(
      `Note: cert-manager in ${file} is not used: the operator issues certificates itself in a cluster ` +
        "without cert-manager, and uses an installed one.\n",
    );
  }
  const withEnvironment = (text: string) => replaceVariables(text, (name) => io.env[name] ?? "");
  const { overridesFolder, providers, imageOverrides } = settings;
  const overrides = folders.map((folder) => join(folder, "overrides"));
  return {
    ...(file !== undefined && { file }),
    variable: variableLookup(settings, io),
    providers: providers.map((one) => ({ ...one, url: withEnvironment(one.url) })),
    images: imageOverrides,
    overridesFolder: overridesFolder
      ? withEnvironment(overridesFolder)
      : (overrides.find((path) => existsSync(path)) ?? overrides[0] ?? ""),
  };
}

/** A downloader with the authority and the proxies that the user configured. */
export function createDownloader(variable: VariableLookup, { env }: Pick<CommandIo, "env">) {
  const ca = variable(fetchVariables.ca);
  const proxy = (origin: string) => proxyFromEnvironment(origin, env);
  return new Downloader({ ...(ca && { ca }), proxy });
}

/** Rookery's file takes precedence over clusterctl's, in either folder. */
const configFiles = ["rookery.yaml", "rookery.yml", "clusterctl.yaml", "clusterctl.yml"];

/** The same folders as clusterctl's. */
function configFolders({ env }: Pick<CommandIo, "env">): readonly string[] {
  const home = env.HOME || homedir();
  return [
    join(env.XDG_CONFIG_HOME || join(home, ".config"), "cluster-api"),
    join(home, ".cluster-api"),
  ];
}

async function readSettings(file: string, io: CommandIo): Promise<ClusterctlSettings> {
  try {
    const isUrl = /^https?:\/\//i.test(file);
    const text = isUrl ? await download(file, io) : await readFile(file, "utf8");
    return parseClusterctlSettings(text, file);
  } catch (error) {
    if (error instanceof SettingsError || error instanceof FetchError) throw error;
    const why = `${messageOf(error)}; --config names another file`;
    throw new SettingsError(file, why, { cause: error });
  }
}

async function download(url: string, io: CommandIo): Promise<string> {
  // The variables of the configuration are not known yet.
  await using downloader = createDownloader((name) => io.env[name], io);
  return await downloader.text({ url });
}

/** As in clusterctl, names are upper case in the environment, and of any case in the file. */
function variableLookup({ variables }: ClusterctlSettings, { env }: CommandIo): VariableLookup {
  const file = new Map(
    Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return (name) =>
    env[name] ?? env[name.toUpperCase().replaceAll("-", "_")] ?? file.get(name.toLowerCase());
}

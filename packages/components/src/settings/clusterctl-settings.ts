import { isRecord } from "@rookery/kube";
import { parseYaml } from "@rookery/yaml";
import { SettingsError } from "../errors.ts";
import { type ProviderIdentity, providerKindNames } from "../providers/provider.ts";
import type { ImageOverrides } from "../render/image.ts";

/** A provider of a configuration. */
export interface ConfiguredProvider extends ProviderIdentity {
  /** May contain variables of the environment. */
  readonly url: string;
}

/** A configuration file of clusterctl. */
export interface ClusterctlSettings {
  readonly imageOverrides: ImageOverrides;
  /** Variables of components; the environment takes precedence. */
  readonly variables: Readonly<Record<string, string>>;
  readonly providers: readonly ConfiguredProvider[];
  /** The folder of files that replace those of repositories. */
  readonly overridesFolder?: string;
  /** Whether it has settings of cert-manager. */
  readonly certManager: boolean;
}

export const noSettings: ClusterctlSettings = {
  imageOverrides: {},
  variables: {},
  providers: [],
  certManager: false,
};

const parts: ReadonlySet<string> = new Set(["repository", "name", "tag"]);

/**
 * Reads a configuration file of clusterctl: `images`, `providers`, `overridesFolder`, and every other
 * key with a single value as a variable. Throws SettingsError.
 */
export function parseClusterctlSettings(text: string, file: string): ClusterctlSettings {
  const values = readYaml(text, file) ?? {};
  if (!isRecord(values)) throw new SettingsError(file, "it is no YAML with a key for each setting");
  const { images, providers, overridesFolder, ...others } = values;
  const variables = Object.entries(others).flatMap(([name, value]) =>
    typeof value === "object" ? [] : [[name, String(value)]],
  );
  return {
    imageOverrides: readImages(images ?? {}, file),
    variables: Object.fromEntries(variables),
    providers: readProviders(providers ?? [], file),
    ...(typeof overridesFolder === "string" && overridesFolder.trim() && { overridesFolder }),
    certManager: others["cert-manager"] !== undefined,
  };
}

function readYaml(text: string, file: string): unknown {
  try {
    return parseYaml(text);
  } catch (cause) {
    throw new SettingsError(file, `it is no YAML: ${(cause as Error).message}`, { cause });
  }
}

function readImages(images: unknown, file: string): ImageOverrides {
  if (!isRecord(images)) throw new SettingsError(file, "images has no key for each component");
  for (const [component, meta] of Object.entries(images)) {
    if (!isRecord(meta)) throw new SettingsError(file, `images.${component} has no parts`);
    const wrong = Object.entries(meta).find(
      ([part, value]) => !parts.has(part) || typeof value !== "string",
    );
    if (!wrong) continue;
    const allowed = `${[...parts].join(", ")} with a text each`;
    throw new SettingsError(file, `images.${component}.${wrong[0]} is not one of ${allowed}`);
  }
  return images as ImageOverrides;
}

function readProviders(providers: unknown, file: string): readonly ConfiguredProvider[] {
  if (!Array.isArray(providers)) throw new SettingsError(file, "providers is no list");
  return providers.map((provider, index) => readProvider(provider, `providers[${index}]`, file));
}

function readProvider(provider: unknown, where: string, file: string): ConfiguredProvider {
  if (!isRecord(provider)) throw new SettingsError(file, `${where} has no name, type and url`);
  const { name, type, url } = provider;
  const kind = providerKindNames.find((one) => one === type);
  if (typeof name !== "string" || name === "" || typeof url !== "string" || url === "") {
    throw new SettingsError(file, `${where} has to have a name, a type and a url`);
  }
  if (kind === undefined) {
    const known = providerKindNames.join(", ");
    throw new SettingsError(file, `${where}.type of ${name} is not one of ${known}`);
  }
  return { kind, name, url };
}

import type { ImageOverrides } from "@rookery/components";
import { parse } from "yaml";
import { SettingsError } from "../errors.ts";

/** What the operator takes from a configuration file of clusterctl. */
export interface ClusterctlSettings {
  readonly imageOverrides: ImageOverrides;
  /** Variables of components, which those of the environment win over. */
  readonly variables: Readonly<Record<string, string>>;
}

export const noSettings: ClusterctlSettings = { imageOverrides: {}, variables: {} };

const parts: ReadonlySet<string> = new Set(["repository", "name", "tag"]);

/**
 * Reads a configuration file of clusterctl: `images`, and every other key with a single value as a
 * variable. Lists and folders (`providers`, `overridesFolder`) are the command line's own affair.
 * Errors: SettingsError.
 */
export function parseClusterctlSettings(text: string, file: string): ClusterctlSettings {
  const values = readYaml(text, file) ?? {};
  if (!isRecord(values)) throw new SettingsError(file, "it is no YAML with a key for each setting");
  const { images = {}, overridesFolder: _, ...others } = values;
  const variables = Object.entries(others).flatMap(([name, value]) =>
    typeof value === "object" ? [] : [[name, String(value)]],
  );
  return {
    imageOverrides: readImages(images, file),
    variables: Object.fromEntries(variables),
  };
}

function readYaml(text: string, file: string): unknown {
  try {
    return parse(text);
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

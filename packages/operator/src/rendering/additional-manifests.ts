import type { Provider } from "@rookery/api";
import { type Client, getOptional } from "@rookery/client";
import { type Component, DocumentError, parseComponents } from "@rookery/components";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { PhaseError } from "../errors.ts";

/** The key of the ConfigMap, as the Cluster API Operator has it. */
const key = "manifests";

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** The content of spec.additionalManifests. Throws PhaseError. */
export async function readManifests(
  { metadata, spec }: Provider,
  client: Pick<Client, "resource">,
): Promise<string | undefined> {
  const { namespace = "" } = metadata;
  const name = spec?.additionalManifests?.name;
  if (name === undefined) return undefined;
  const configMaps = client.resource<ConfigMap>(builtInResources.configMaps);
  const found = await getOptional(configMaps, { namespace, name });
  const text = found?.data?.[key];
  if (text !== undefined) return text;
  const why = found ? `it has no key ${key}` : "it is not there";
  throw new PhaseError("ProviderFetched", "ManifestsNotFound", {
    message:
      `could not read additional manifests from ConfigMap ${JSON.stringify(name)} in namespace ` +
      `${namespace}: ${why}; correct it, and this goes on by itself`,
  });
}

/** Parses manifests without variables. Throws PhaseError. */
export function parseManifests(text: string): readonly Component[] {
  try {
    return parseComponents(text);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new PhaseError("ProviderFetched", "InvalidComponents", {
      message: `could not use spec.additionalManifests: ${error.message}`,
      cause: error,
    });
  }
}

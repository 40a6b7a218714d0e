import {
  type Component,
  contractOf,
  defaultProviderUrl,
  guessedKinds,
  inspectVariables,
  latestVersion,
  MissingVariablesError,
  type ProviderIdentity,
  parseComponents,
  parseMetadata,
  renderComponents,
  replaceVariables,
} from "@rookery/components";
import { parseApiVersion } from "@rookery/kube";
import type { CommandConfig } from "../config/read-config.ts";
import { TemplateError } from "../errors.ts";
import type { ReleaseFiles } from "./release-files.ts";

export interface ProviderOptions {
  readonly config: CommandConfig;
  readonly files: ReleaseFiles;
  readonly provider: ProviderIdentity;
  /** The newest where absent. */
  readonly version?: string;
  readonly namespace?: string;
  /** Whether variables stay as they are. */
  readonly isRaw: boolean;
}

/** Components as they would be applied, and what is known of them. */
export interface ProviderComponents {
  readonly provider: ProviderIdentity;
  readonly version: string;
  readonly url: string;
  readonly file: string;
  readonly namespace: string;
  readonly variables: readonly string[];
  readonly images: readonly string[];
  readonly components: readonly Component[];
}

/** Errors: FetchError, RenderError, TemplateError. */
export async function providerComponents(options: ProviderOptions): Promise<ProviderComponents> {
  const { config, files, provider, isRaw } = options;
  const repository = files.repository({ provider });
  const version = options.version ?? (await latestVersion(repository));
  const text = await files.read({ provider }, version, repository.componentsFile);
  await checkMetadata(options, version);
  const read = parseComponents(isRaw ? text : replaceAll(text, config));
  const { components, images, namespace } = renderComponents({
    provider,
    version,
    components: read,
    imageOverrides: config.images,
    served: guessedKinds(read),
    ...(options.namespace && { namespace: options.namespace }),
  });
  const { url = defaultProviderUrl(provider) ?? "" } = files.fetchConfigOf({ provider }) ?? {};
  return {
    provider,
    version,
    url,
    file: repository.componentsFile,
    namespace,
    images,
    variables: inspectVariables(text).map(({ name }) => name),
    components: inFileOrder(components, read),
  };
}

/** A release has to say which contract it keeps to. */
async function checkMetadata({ files, provider }: ProviderOptions, version: string): Promise<void> {
  contractOf(parseMetadata(await files.read({ provider }, version, "metadata.yaml")), version);
}

function replaceAll(text: string, { variable }: CommandConfig): string {
  try {
    return replaceVariables(text, variable);
  } catch (error) {
    if (!(error instanceof MissingVariablesError)) throw error;
    const why = `there is no value for ${error.missing.join(", ")}; set them in the environment or in the configuration file, or see them with --describe`;
    throw new TemplateError(why, error);
  }
}

/** As in the file, but for the namespace and what is cert-manager's, which come first. */
function inFileOrder(
  rendered: readonly Component[],
  read: readonly Component[],
): readonly Component[] {
  const keyOf = ({ apiVersion, kind, metadata }: Component) =>
    `${apiVersion} ${kind} ${kind === "Namespace" ? "" : metadata.name}`;
  const places = new Map(read.map((component, index) => [keyOf(component), index]));
  const rank = (component: Component) => {
    if (component.kind === "Namespace") return -2;
    if (parseApiVersion(component.apiVersion).group === "cert-manager.io") return -1;
    return 0;
  };
  const placeOf = (component: Component) => places.get(keyOf(component)) ?? read.length;
  return rendered.toSorted((a, b) => rank(a) - rank(b) || placeOf(a) - placeOf(b));
}

import {
  type Component,
  contractOf,
  guessedKinds,
  inspectVariables,
  latestVersion,
  type ProviderIdentity,
  parseComponents,
  parseMetadata,
  renderComponents,
} from "@rookery/components";
import { parseApiVersion } from "@rookery/kube";
import type { CommandConfig } from "../config/read-config.ts";
import type { ReleaseSource, ReleaseSources } from "../releases/release-source.ts";
import { replaceOrExplain } from "./template.ts";

export interface ProviderOptions {
  readonly config: CommandConfig;
  readonly sources: ReleaseSources;
  readonly provider: ProviderIdentity;
  readonly version?: string;
  readonly namespace?: string;
  /** Whether variables are not replaced. */
  readonly isRaw: boolean;
}

/** Components as they would be applied, and facts about them. */
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

/** Throws FetchError, RenderError and TemplateError. */
export async function providerComponents(options: ProviderOptions): Promise<ProviderComponents> {
  const { config, provider, isRaw } = options;
  const source = options.sources.open(provider);
  const { repository, url } = source;
  const version = options.version ?? (await latestVersion(repository));
  const text = await source.file(version, repository.componentsFile);
  await checkMetadata(source, version);
  const replaced = isRaw ? text : replaceOrExplain(text, config.variable, "--describe");
  const read = parseComponents(replaced);
  const { components, images, namespace } = renderComponents({
    provider,
    version,
    components: read,
    imageOverrides: config.images,
    served: guessedKinds(read),
    ...(options.namespace && { namespace: options.namespace }),
  });
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

/** Throws MetadataError for a release whose contract is unknown. */
async function checkMetadata(source: ReleaseSource, version: string): Promise<void> {
  contractOf(parseMetadata(await source.metadata(version)), version);
}

/** The order of the file, after the namespace and the objects of cert-manager. */
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

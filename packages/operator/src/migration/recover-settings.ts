import type { ImageMeta, ProviderManifest } from "@rookery/api";
import { type Client, ignoreAlreadyExists } from "@rookery/client";
import {
  type Component,
  type ConfiguredProvider,
  type Container,
  componentKeyOf,
  contentHash,
  DocumentError,
  Downloader,
  type DownloaderOptions,
  type FetchConfiguration,
  FetchError,
  ImageError,
  type ImageOverrides,
  inspectVariables,
  isWorkload,
  openRepository,
  type ProviderFiles,
  type ProviderIdentity,
  parseComponents,
  parseImage,
  providerLabel,
  RenderError,
  type Repository,
  renderComponents,
  replaceVariables,
  SubstitutionError,
  type VariableLookup,
  type Workload,
} from "@rookery/components";
import { ComponentClient } from "../components/component-client.ts";
import { secrets } from "../resources.ts";
import type { SecretObject } from "../state/state-secrets.ts";
import type { Adoption } from "./installed-components.ts";
import { isSameProvider } from "./plan.ts";
import { recoverVariables } from "./recover-variables.ts";

export interface SettingsSources {
  readonly client: Client;
  readonly downloader: DownloaderOptions;
  /** The operator's environment, with the variables of its configuration. */
  readonly variables: VariableLookup;
  readonly imageOverrides: ImageOverrides;
  /** Sources of providers from the operator's configuration. */
  readonly providers: readonly ConfiguredProvider[];
}

/** Settings with which clusterctl installed a provider. */
export interface RecoveredSettings {
  readonly spec: Pick<
    NonNullable<ProviderManifest["spec"]>,
    "fetchConfig" | "secretName" | "deployment"
  >;
  readonly notes: readonly string[];
  /** Settings that are unknown, with the way out. */
  readonly problems: readonly string[];
}

/** On objects that belong to a provider and are deleted with it by the command. */
const suppliedLabel = "rookery.dev/supplied-for";

/** Recovers source, variables and images of a provider; writes variables to a Secret. */
export async function recoverSettings(
  adoption: Adoption,
  sources: SettingsSources,
  signal: AbortSignal,
): Promise<RecoveredSettings> {
  const { fetchConfig, problem } = configuredSource(adoption.identity, sources);
  const source = { ...(fetchConfig && { fetchConfig }) };
  const notes = fetchConfig ? [`source ${fetchConfig.url}`] : [];
  const known = problem === undefined ? [] : [problem];
  try {
    const files = await withRepository(adoption.identity, sources, (repository) =>
      repository.files(adoption.version, signal),
    );
    const found = await compare(adoption, files, sources);
    const secretName = await keepVariables(adoption, found.variables, sources.client);
    const { containers } = found;
    return {
      spec: {
        ...source,
        ...(secretName && { secretName }),
        ...(containers.length > 0 && { deployment: { containers } }),
      },
      notes: [...notes, ...found.notes],
      problems: [...known, ...found.problems],
    };
  } catch (error) {
    if (!(error instanceof Error) || !isReleaseError(error)) throw error;
    const unknown =
      `what runs could not be compared with its release: ${error.message}; before the next change, set ` +
      "spec.secretName for variables and spec.deployment.containers for images that differ from the release's";
    return { spec: source, notes, problems: [...known, unknown] };
  }
}

function isReleaseError(error: Error): boolean {
  return [FetchError, DocumentError, SubstitutionError, RenderError, ImageError].some(
    (type) => error instanceof type,
  );
}

/** The source in the configuration, if the operator can fetch from it: it may also be a local folder. */
function configuredSource(
  identity: ProviderIdentity,
  { providers, variables }: Pick<SettingsSources, "providers" | "variables">,
): { readonly fetchConfig?: FetchConfiguration; readonly problem?: string } {
  const configured = providers.find((one) => isSameProvider(one, identity));
  if (configured === undefined) return {};
  const url = replaceVariables(configured.url, (name) => variables(name) ?? "");
  const { protocol } = URL.parse(url) ?? {};
  if (protocol === "https:" || protocol === "oci:") return { fetchConfig: { url } };
  const problem = `its source ${url} is none that the operator can fetch from; set spec.fetchConfig before the next change`;
  return { problem };
}

/** Opens the releases of a provider at its configured source. */
export async function withRepository<T>(
  provider: ProviderIdentity,
  sources: Pick<SettingsSources, "downloader" | "variables" | "providers">,
  use: (repository: Repository) => Promise<T>,
): Promise<T> {
  const { variables } = sources;
  const { fetchConfig } = configuredSource(provider, sources);
  await using downloader = new Downloader(sources.downloader);
  return await use(openRepository({ provider, fetchConfig, variables, downloader }));
}

interface Difference {
  readonly variables: Readonly<Record<string, string>>;
  readonly containers: readonly { readonly name: string; readonly image: ImageMeta }[];
  readonly notes: readonly string[];
  readonly problems: readonly string[];
}

async function compare(
  { identity, version, namespace }: Adoption,
  { components: text }: ProviderFiles,
  { client, variables: known, imageOverrides }: SettingsSources,
): Promise<Difference> {
  const objects = new ComponentClient(client);
  const running = (component: Component) => objects.get(componentKeyOf(component));
  const place = (components: readonly Component[]) =>
    renderComponents({ provider: identity, version, namespace, components }).components;
  const { values, unknown } = await recoverVariables({ text, place, running });
  const usual = new Map(inspectVariables(text).map((one) => [one.name, one.default]));
  const needed = [...values].filter(([name, value]) => value !== (known(name) ?? usual.get(name)));
  const variables = Object.fromEntries(needed.sort());
  const names = Object.keys(variables);
  const lookup: VariableLookup = (name) => values.get(name) ?? known(name);
  const missing = unknown.filter((name) => known(name) === undefined);
  const parts = {
    variables,
    notes: names.length > 0 ? [`variables ${names.join(", ")}`] : [],
    problems: missing.length > 0 ? [unknownVariables(missing)] : [],
  };
  if (missing.some((name) => usual.get(name) === undefined)) return { ...parts, containers: [] };
  const rendered = renderComponents({
    provider: identity,
    version,
    namespace,
    imageOverrides,
    components: parseComponents(replaceVariables(text, lookup)),
  });
  const images = await differingImages(rendered.components, running);
  return {
    ...parts,
    containers: images.containers,
    notes: [...parts.notes, ...images.containers.map(({ name, image }) => describe(name, image))],
    problems: [...parts.problems, ...images.problems],
  };
}

function unknownVariables(names: readonly string[]): string {
  return `what runs does not tell the values of ${names.join(", ")}; before the next change, name a Secret that has those which are not the defaults in spec.secretName`;
}

function describe(name: string, { repository, name: image }: ImageMeta): string {
  return `the image of container ${name} (${[repository, image].filter(Boolean).join("/")})`;
}

/** Compares repositories and names of images; a tag belongs to one version and is not recovered. */
async function differingImages(
  rendered: readonly Component[],
  running: (component: Component) => Promise<Component | undefined>,
): Promise<Pick<Difference, "containers" | "problems">> {
  const containers: Difference["containers"][number][] = [];
  const problems: string[] = [];
  for (const workload of rendered.filter(isWorkload)) {
    const actual = await running(workload);
    if (actual === undefined || !isWorkload(actual)) continue;
    const images = new Map(containersOf(actual).map(({ name, image }) => [name, image]));
    for (const { name = "", image: wanted = "" } of containersOf(workload)) {
      const image = images.get(name);
      if (image === undefined || image === wanted) continue;
      const [from, to] = [parseImage(wanted), parseImage(image)];
      const meta = {
        ...(to.repository !== from.repository && { repository: to.repository }),
        ...(to.name !== from.name && { name: to.name }),
      };
      const place = `${workload.metadata.name}/${name}`;
      if (Object.keys(meta).length > 0) containers.push({ name: place, image: meta });
      if (to.tag === from.tag && to.digest === from.digest) continue;
      problems.push(
        `container ${place} runs ${image} instead of the release's ${wanted}; set its tag in spec.deployment.containers where it is to stay`,
      );
    }
  }
  return { containers, problems };
}

function containersOf({ spec }: Workload): readonly Container[] {
  const { containers = [], initContainers = [] } = spec.template.spec;
  return [...containers, ...initContainers];
}

/** The name of the Secret has a hash of its content, like those of the command. */
async function keepVariables(
  { identity, namespace }: Adoption,
  stringData: Readonly<Record<string, string>>,
  client: Client,
): Promise<string | undefined> {
  if (Object.keys(stringData).length === 0) return undefined;
  const label = providerLabel(identity);
  const name = `${label}-variables-${contentHash(stringData).slice(0, 10)}`;
  const metadata = { name, namespace, labels: { [suppliedLabel]: label } };
  const entries = Object.entries(stringData);
  const data = Object.fromEntries(
    entries.map(([key, value]) => [key, Buffer.from(value).toString("base64")]),
  );
  const secret = { apiVersion: "v1", kind: "Secret", metadata, data };
  const resource = client.resource<SecretObject>(secrets);
  const created = await ignoreAlreadyExists(resource.create(secret));
  if (!created) await resource.update(secret);
  return name;
}

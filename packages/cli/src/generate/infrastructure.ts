import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import {
  defaultProviders,
  defaultProviderUrl,
  listConfigMaps,
  type ProviderIdentity,
} from "@rookery/components";
import { didYouMean, type KubeObject, validateDns1123Label } from "@rookery/kube";
import { TemplateError, UsageError } from "../errors.ts";
import { listServed } from "../get/list-served.ts";
import { listProviders } from "../get/providers.ts";
import type { ReleaseFiles, ReleasePlace } from "./release-files.ts";

const kind = "InfrastructureProvider";

/** A release of an infrastructure provider, whose templates are used. */
export interface InfrastructureRelease {
  readonly place: ReleasePlace;
  readonly version: string;
}

interface Installed {
  readonly name: string;
  readonly version: string;
  readonly provider?: Provider;
}

/** clusterctl's own record of a provider. */
interface InventoryEntry extends KubeObject {
  readonly type?: string;
  readonly providerName?: string;
  readonly version?: string;
}

/** Splits "name[:version]". Errors: UsageError. */
export function parseProviderName(text: string, flag: string) {
  const [given = "", version, ...more] = text.split(":");
  const name = given.toLowerCase();
  const isValid = more.length === 0 && version !== "" && validateDns1123Label(name).length === 0;
  if (isValid) return { name, ...(version && { version }) };
  throw new UsageError(`${flag} "${text}" is no provider; it is written name or name:version.`);
}

/**
 * The provider that somebody named, or the only one that is installed; in the version that was named, or
 * is installed. Errors: TemplateError where that is not clear.
 */
export async function findInfrastructure(
  given: string | undefined,
  files: ReleaseFiles,
  connect: () => Promise<Client>,
): Promise<InfrastructureRelease> {
  const wanted: { name?: string; version?: string } =
    given === undefined ? {} : parseProviderName(given, "--infrastructure");
  const { name, version } = wanted;
  if (name && version && isKnown({ kind, name }, files)) {
    return { place: { provider: { kind, name } }, version };
  }
  const client = await connect();
  const installed = await listInstalled(client);
  const chosen = name ?? onlyOne(installed, ({ name: one }) => one, noDefault);
  const own = installed.filter((one) => one.name === chosen);
  return {
    place: placeOf(chosen, own, client),
    version: version ?? onlyOne(own, (one) => one.version, noVersion(chosen, namesOf(installed))),
  };
}

function isKnown(provider: ProviderIdentity, files: ReleaseFiles): boolean {
  return (
    files.fetchConfigOf({ provider }) !== undefined || defaultProviderUrl(provider) !== undefined
  );
}

async function listInstalled(client: Client): Promise<readonly Installed[]> {
  const inventory = { group: "clusterctl.cluster.x-k8s.io", kind: "Provider" };
  const [providers, entries] = await Promise.all([
    listProviders(client),
    listServed<InventoryEntry>(client, inventory),
  ]);
  const declared = providers.flatMap((provider): Installed[] => {
    const { installedVersion: version } = provider.status ?? {};
    const { name = "" } = provider.metadata;
    return provider.kind === kind && version ? [{ name, version, provider }] : [];
  });
  const recorded = entries.flatMap(
    ({ type, providerName: name = "", version = "" }): Installed[] =>
      type === kind ? [{ name, version }] : [],
  );
  return [...declared, ...recorded];
}

function placeOf(name: string, own: readonly Installed[], client: Client): ReleasePlace {
  const { spec, metadata } = own.find(({ provider }) => provider)?.provider ?? {};
  const { fetchConfig } = spec ?? {};
  const { selector } = fetchConfig ?? {};
  const { namespace } = metadata ?? {};
  return {
    provider: { kind, name },
    fetchConfig,
    ...(selector && namespace && { configMaps: listConfigMaps(client, { namespace, selector }) }),
  };
}

/** What all say alike. */
function onlyOne(
  installed: readonly Installed[],
  read: (one: Installed) => string,
  why: (values: readonly string[]) => string,
): string {
  const values = [...new Set(installed.map(read))].toSorted();
  const [first] = values;
  if (first !== undefined && values.length === 1) return first;
  throw new TemplateError(why(values));
}

const noDefault = (names: readonly string[]) =>
  names.length === 0
    ? "no infrastructure provider is installed; --infrastructure=name:version names one"
    : `there are several infrastructure providers: ${names.join(", ")}; --infrastructure names one`;

/** Of all that is installed, or could be. */
function namesOf(installed: readonly Installed[]): readonly string[] {
  const known = defaultProviders().filter((one) => one.kind === kind);
  return [...installed, ...known].map(({ name }) => name);
}

const noVersion = (name: string, others: readonly string[]) => (versions: readonly string[]) =>
  versions.length === 0
    ? `the infrastructure provider ${name} is not installed; --infrastructure=${name}:version names a version${didYouMean(name, others)}`
    : `there are several versions of ${name}: ${versions.join(", ")}; --infrastructure=${name}:version names one`;

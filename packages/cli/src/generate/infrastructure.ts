import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import { defaultProviders } from "@rookery/components";
import { didYouMean, type KubeObject } from "@rookery/kube";
import { TemplateError } from "../errors.ts";
import { listServed } from "../objects.ts";
import { listProviders } from "../providers/declared-providers.ts";
import { parseProviderName } from "../providers/provider-flags.ts";
import type { ReleaseSource, ReleaseSources } from "../releases/release-source.ts";

const kind = "InfrastructureProvider";

/** The release of an infrastructure provider whose templates are used. */
export interface InfrastructureRelease {
  readonly source: ReleaseSource;
  readonly version: string;
}

interface Installed {
  readonly name: string;
  readonly version: string;
  readonly provider?: Provider;
}

/** clusterctl's record of a provider. */
interface InventoryEntry extends KubeObject {
  readonly type?: string;
  readonly providerName?: string;
  readonly version?: string;
}

/**
 * The named provider, or the only one that is installed; in the named version, or the installed one.
 * Throws TemplateError where that is ambiguous.
 */
export async function findInfrastructure(
  given: string | undefined,
  sources: ReleaseSources,
  connect: () => Promise<Client>,
): Promise<InfrastructureRelease> {
  const wanted: { name?: string; version?: string } =
    given === undefined ? {} : parseProviderName(given, "--infrastructure");
  const { name, version } = wanted;
  if (name && version) {
    const source = sources.open({ kind, name });
    if (source.url !== "") return { source, version };
  }
  const client = await connect();
  const installed = await listInstalled(client);
  const chosen = name ?? onlyOne(installed, ({ name: one }) => one, noDefault);
  const own = installed.filter((one) => one.name === chosen);
  const declared = own.find(({ provider }) => provider)?.provider;
  return {
    source: sources.open({ kind, name: chosen }, declared, client),
    version: version ?? onlyOne(own, (one) => one.version, noVersion(chosen, namesOf(installed))),
  };
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

/** The value that all have in common. */
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

/** The names of all providers that are installed, or known. */
function namesOf(installed: readonly Installed[]): readonly string[] {
  const known = defaultProviders().filter((one) => one.kind === kind);
  return [...installed, ...known].map(({ name }) => name);
}

const noVersion = (name: string, others: readonly string[]) => (versions: readonly string[]) =>
  versions.length === 0
    ? `the infrastructure provider ${name} is not installed; --infrastructure=${name}:version names a version${didYouMean(name, others)}`
    : `there are several versions of ${name}: ${versions.join(", ")}; --infrastructure=${name}:version names one`;

import type { Provider } from "@rookery/api";
import { type Client, ignoreNotFound } from "@rookery/client";
import { providerLabel } from "@rookery/components";
import { builtInResources, didYouMean } from "@rookery/kube";
import { previewDeletion } from "@rookery/operator";
import type { CommandIo } from "../command.ts";
import { ProvidersError, UsageError } from "../errors.ts";
import { describeDeletion, type Judgement } from "../progress/judgement.ts";
import {
  formatProviderKey,
  patchSpec,
  providerKeyOf,
  providersOf,
} from "../providers/declared-providers.ts";
import { followProviders } from "../providers/follow-providers.ts";
import {
  isSame,
  type NamedProvider,
  namedProviders,
  type ProviderFlags,
} from "../providers/provider-flags.ts";
import { suppliedLabel } from "../releases/shipped-release.ts";

export interface DeleteOptions {
  readonly includeCrd?: boolean;
  readonly includeNamespace?: boolean;
  readonly waitTimeout: number;
}

/** Throws ProvidersError with the users of each provider. */
export async function checkDeletions(
  client: Client,
  deleted: readonly Provider[],
  all: readonly Provider[],
): Promise<void> {
  const staying = all.filter((provider) => !deleted.includes(provider));
  const problems: string[] = [];
  for (const provider of deleted.filter(({ metadata }) => !metadata.deletionTimestamp)) {
    const users = await previewDeletion(client, provider, staying);
    if (users === undefined) continue;
    const { count, first, wayOut } = users;
    const more = count > first.length ? ` and ${count - first.length} more` : "";
    const name = formatProviderKey(providerKeyOf(provider));
    problems.push(`${name} is used by ${first.join(", ")}${more}; ${wayOut}`);
  }
  if (problems.length > 0) throw new ProvidersError("delete", problems);
}

/**
 * Deletes providers and waits until they are gone, cores last. Throws ProvidersError with the state of
 * each.
 */
export async function deleteProviders(
  deleted: readonly Provider[],
  options: DeleteOptions,
  { client, io }: { readonly client: Client; readonly io: CommandIo },
): Promise<void> {
  const cores = deleted.filter(({ kind }) => kind === "CoreProvider");
  const others = deleted.filter(({ kind }) => kind !== "CoreProvider");
  for (const group of [others, cores].filter(({ length }) => length > 0)) {
    for (const provider of group) await requestDeletion(client, provider, options);
    await followProviders(group.map(providerKeyOf), {
      client,
      io,
      judge,
      timeoutSeconds: options.waitTimeout,
      verb: "delete",
    });
    for (const provider of group) await removeSupplies(client, provider);
  }
}

/** Sets the policies first: the operator reads them when it sees the deletion. */
async function requestDeletion(
  client: Client,
  provider: Provider,
  { includeCrd, includeNamespace }: DeleteOptions,
): Promise<void> {
  const { kind, ...key } = providerKeyOf(provider);
  const deletionPolicy = {
    ...(includeCrd && { customResourceDefinitions: "Delete" }),
    ...(includeNamespace && { namespace: "Delete" }),
  };
  if (Object.keys(deletionPolicy).length > 0) {
    await patchSpec(client, { kind, ...key }, { deletionPolicy });
  }
  await providersOf(client, kind).delete(key);
}

function judge(provider: Provider | undefined): Judgement {
  return provider ? describeDeletion(provider) : { state: "done", text: "gone" };
}

/** Removes the Secrets and ConfigMaps that commands created for a provider. */
async function removeSupplies(client: Client, provider: Provider): Promise<void> {
  const { namespace, ...identity } = providerKeyOf(provider);
  const labelSelector = `${suppliedLabel}=${providerLabel(identity)}`;
  for (const resource of [builtInResources.secrets, builtInResources.configMaps]) {
    const objects = client.resource(resource);
    const { items } = await objects.listAll({ namespace, labelSelector });
    for (const { metadata } of items) {
      await ignoreNotFound(objects.delete({ namespace, name: metadata.name ?? "" }));
    }
  }
}

export interface DeletionFlags extends ProviderFlags {
  readonly all?: boolean;
  /** The namespace of one of several instances. */
  readonly namespace?: string;
}

/** The named providers. Throws UsageError. */
export function namedDeletions(flags: DeletionFlags): readonly NamedProvider[] {
  const named = namedProviders(flags);
  if (flags.all && named.length > 0) {
    throw new UsageError("--all and the names of providers do not go together.");
  }
  if (flags.all || named.length > 0) return named;
  throw new UsageError("name the providers to delete, such as --infrastructure vsphere, or --all.");
}

/** The objects to delete. Throws UsageError, and ProvidersError with all problems. */
export function chooseDeletions(
  flags: DeletionFlags,
  providers: readonly Provider[],
): readonly Provider[] {
  const named = namedDeletions(flags);
  if (flags.all) return providers;
  const found = named.map((one) => findOnly(one, flags.namespace, providers));
  const problems = found.filter((one) => typeof one === "string");
  if (problems.length > 0) throw new ProvidersError("delete", problems);
  return found.filter((one) => typeof one !== "string");
}

/** The only matching object, or a problem. */
function findOnly(
  named: NamedProvider,
  namespace: string | undefined,
  providers: readonly Provider[],
): Provider | string {
  const instances = providers
    .filter((provider) => isSame(providerKeyOf(provider), named))
    .filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
  const [only] = instances;
  const what = `${named.kind} ${named.name}`;
  if (!only) {
    const names = providers
      .filter(({ kind }) => kind === named.kind)
      .map(({ metadata }) => metadata.name ?? "");
    return `${what} is not there${namespace ? ` in namespace ${namespace}` : ""}${didYouMean(named.name, names)}`;
  }
  if (instances.length === 1) return only;
  const names = instances.map((one) => formatProviderKey(providerKeyOf(one))).join(", ");
  return `${what} has several instances (${names}); name one by -n`;
}

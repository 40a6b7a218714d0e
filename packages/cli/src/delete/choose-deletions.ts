import type { Provider } from "@rookery/api";
import { didYouMean } from "@rookery/kube";
import { ProvidersError, UsageError } from "../errors.ts";
import { formatProviderKey, providerKeyOf } from "../providers/declared-providers.ts";
import {
  isSame,
  type NamedProvider,
  namedProviders,
  type ProviderFlags,
} from "../providers/provider-flags.ts";

export interface DeletionFlags extends ProviderFlags {
  readonly all?: boolean;
  /** Whose instance is meant where there are several. */
  readonly namespace?: string;
}

/** What was named. Errors: UsageError, where that can be known without a cluster. */
export function namedDeletions(flags: DeletionFlags): readonly NamedProvider[] {
  const named = namedProviders(flags);
  if (flags.all && named.length > 0) {
    throw new UsageError("--all and the names of providers do not go together.");
  }
  if (flags.all || named.length > 0) return named;
  throw new UsageError("name the providers to delete, such as --infrastructure vsphere, or --all.");
}

/** The objects that are to go. Errors: UsageError, ProvidersError with all problems at once. */
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

/** The one object that is meant, or why there is none. */
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

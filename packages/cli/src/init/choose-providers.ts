import { type ProviderIdentity, providerKindNames } from "@rookery/components";
import {
  isNamed,
  isSame,
  type NamedProvider,
  namedProviders,
  type ProviderFlags,
} from "../providers/provider-flags.ts";

/** What a first init adds by itself, as clusterctl does. */
const usual: readonly NamedProvider[] = [
  { kind: "CoreProvider", name: "cluster-api" },
  { kind: "BootstrapProvider", name: "kubeadm" },
  { kind: "ControlPlaneProvider", name: "kubeadm" },
];

/**
 * The providers that are wanted, the core first. Where there is no core yet it is a first init: what is
 * usual is added for each kind that nothing was said of. Errors: UsageError.
 */
export function chooseProviders(
  flags: ProviderFlags,
  there: readonly ProviderIdentity[],
): readonly NamedProvider[] {
  const named = namedProviders(flags);
  const isFirst = !there.some(({ kind }) => kind === "CoreProvider");
  const added = isFirst ? usual.filter(({ kind }) => !isNamed(flags, kind)) : [];
  const chosen = [...named, ...added.filter((one) => !there.some((other) => isSame(one, other)))];
  return chosen.toSorted((a, b) => orderOf(a) - orderOf(b));
}

function orderOf({ kind }: ProviderIdentity): number {
  return providerKindNames.indexOf(kind);
}

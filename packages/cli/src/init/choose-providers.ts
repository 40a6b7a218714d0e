import type { ProviderIdentity } from "@rookery/components";
import {
  compareKinds,
  isNamed,
  isSame,
  type NamedProvider,
  namedProviders,
  type ProviderFlags,
} from "../providers/provider-flags.ts";

/** The providers that a first init adds, as clusterctl does. */
const usual: readonly NamedProvider[] = [
  { kind: "CoreProvider", name: "cluster-api" },
  { kind: "BootstrapProvider", name: "kubeadm" },
  { kind: "ControlPlaneProvider", name: "kubeadm" },
];

/**
 * The providers to declare, the core first. A cluster without a core also gets the usual provider of
 * each kind that no flag names. Throws UsageError.
 */
export function chooseProviders(
  flags: ProviderFlags,
  there: readonly ProviderIdentity[],
): readonly NamedProvider[] {
  const named = namedProviders(flags);
  const isFirst = !there.some(({ kind }) => kind === "CoreProvider");
  const added = isFirst ? usual.filter(({ kind }) => !isNamed(flags, kind)) : [];
  const chosen = [...named, ...added.filter((one) => !there.some((other) => isSame(one, other)))];
  return chosen.toSorted(compareKinds);
}

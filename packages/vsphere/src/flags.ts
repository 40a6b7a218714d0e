import {
  booleanFlag,
  concurrencyFlag,
  durationFlag,
  type Flag,
  type FlagTable,
  FlagValueError,
  type FlagValues,
  listFlag,
  type ParsedFlags,
  type ProviderFlagValues,
  parseProviderFlags,
  stringFlag,
  webhookFlags,
} from "@rookery/runtime";
import { parseTenantNetwork } from "./credentials/tenant-networks.ts";
import { names } from "./install/names.ts";
import { isServer } from "./vim/connect.ts";

/** The items without white space: an unset variable of a release is replaced by a space. */
function itemsOf(values: readonly string[]): readonly string[] {
  return values.map((value) => value.trim()).filter((value) => value !== "");
}

/** A list whose items are read by a function; `why` is the error of an item for which it returns undefined. */
function itemsFlag<T>(
  help: string,
  why: string,
  read: (text: string) => T | undefined,
): Flag<readonly T[]> {
  const list = listFlag({ help });
  const readItem = (text: string): T => {
    const item = read(text);
    if (item === undefined) throw new FlagValueError(text, why);
    return item;
  };
  return { ...list, parse: (values) => itemsOf(list.parse(values)).map(readItem) };
}

/** The flags that the vSphere provider has beside those of every provider. */
export const vsphereFlags = {
  "credentials-namespace": stringFlag({
    default: "",
    help: "Another namespace with Secrets of VSphereClusterIdentities, read where its own has none: what all instances shared before each had its own.",
  }),
  "credentials-dir": stringFlag({
    default: "",
    help: "The folder with username, password and servers of this controller's own account, such as a mounted Secret; without it, every cluster must name an identity.",
  }),
  "vcenter-server": itemsFlag(
    "The vCenters of this installation, with commas between or given again: identities without allowedServers may be used with them, and tenants may name them wherever they are.",
    "it must be host names or addresses, with a port where it is not 443",
    (server) => (isServer(server) ? server : undefined),
  ),
  "identities-any-server": booleanFlag({
    default: false,
    help: "Lets identities without allowedServers be used with any server: whoever may use one can then have its password sent anywhere.",
  }),
  "tenant-network": itemsFlag(
    "The networks of servers that tenants name with a Secret of their own, as 10.20.0.0/16, with :8443 or :* where the port is not 443; without it, any but loopback, link-local and other special addresses.",
    "it must be a network such as 10.20.0.0/16 or 10.20.0.0/16:8443",
    parseTenantNetwork,
  ),
  "adopt-virtual-machines": booleanFlag({
    default: false,
    help: "Lets a VSphereVM name by its UUID any virtual machine that the account sees, and not those of its namespace alone; whoever shares the account can then power off and delete it.",
  }),
  "vcenter-ca-file": stringFlag({
    default: "",
    help: "The authorities that sign certificates of vCenters, in PEM; without it, clusters must have a thumbprint.",
  }),
  "keep-alive-duration": durationFlag({
    default: "1m",
    help: "How long a session is believed to be alive without asking its vCenter; all clusters of an account ask once.",
  }),
  ...webhookFlags(names),
  "vspherecluster-concurrency": concurrencyFlag("VSphereCluster", 10),
  "vspheremachine-concurrency": concurrencyFlag("VSphereMachine", 10),
  "vspherevm-concurrency": concurrencyFlag("VSphereVM", 10),
} as const satisfies FlagTable;

export type VSphereFlagValues = ProviderFlagValues & FlagValues<typeof vsphereFlags>;

/** Reads the command line of the provider. Throws a FlagsError that names all problems at once. */
export function parseVSphereFlags(args: readonly string[]): ParsedFlags<VSphereFlagValues> {
  return parseProviderFlags(args, vsphereFlags);
}

import { isIP } from "node:net";
import { IdentityError } from "../errors.ts";
import type { AddressRule } from "../vim/address-rule.ts";
import { isServerListed } from "./policies.ts";
import { type TenantNetwork, tenantAddressRule } from "./tenant-networks.ts";

/** The servers to which passwords may be sent, beside those that an identity names itself. */
export interface ServerRules {
  /** The vCenters of the installation. Read for each decision: some are in a mounted Secret. */
  readonly listed: () => Promise<readonly string[]>;
  /** Whether an identity without `allowedServers` may be used with any server. */
  readonly isAnyServerAllowed: boolean;
  /** The networks of servers that nobody lists; without networks, all but special addresses. */
  readonly tenantNetworks: readonly TenantNetwork[];
  /** Addresses that are special in this cluster, such as that of its API server. */
  readonly refusedAddresses: readonly string[];
}

/** The permitted use of a server. */
export interface ServerUse {
  readonly server: string;
  /** Whether an administrator listed it: tenants may then know the details of its failures. */
  readonly isListed: boolean;
  /** The addresses that it may have; any by default. */
  readonly allowsAddress?: AddressRule;
  /** The reason to refuse it to new clusters, if it was used before. */
  readonly kept?: string;
}

/** The use of a server that an administrator named. */
export const listedServer = (server: string): ServerUse => ({ server, isListed: true });

/**
 * The use of a server that a tenant chose, which nobody lists.
 * Errors: IdentityError, if its port, address or name is closed. The connection checks the addresses of its name.
 */
export function tenantServer(server: string, rules: ServerRules): ServerUse {
  const url = URL.parse(`https://${server}`);
  // The connection reports why a name is not valid.
  if (!url) return { server, isListed: false, allowsAddress: () => false };
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const { tenantNetworks, refusedAddresses } = rules;
  const rule = tenantAddressRule(Number(url.port || 443), tenantNetworks, refusedAddresses);
  const isRefused = isIP(host) === 0 ? isInCluster(host) : rule && !rule(host);
  if (rule && !isRefused) return { server, isListed: false, allowsAddress: rule };
  throw serverNotAllowed(
    `${server} may not be used: its ${rule ? "address" : "port"} is closed to servers that the installation does not list; ${waysToOpen(server)}`,
  );
}

/** The flags that open a server to tenants. */
export function waysToOpen(server: string): string {
  return `an administrator lists it by the manager's flag --vcenter-server=${server}, or opens its network by --tenant-network`;
}

export async function isInstalled(server: string, { listed }: ServerRules): Promise<boolean> {
  return isServerListed(await listed(), server);
}

export function serverNotAllowed(why: string): IdentityError {
  return new IdentityError("ServerNotAllowed", why);
}

/** Whether a name is that of a Service, a pod or this machine. */
function isInCluster(host: string): boolean {
  return /(^|\.)(localhost|svc|cluster\.local|svc\..*)\.?$/.test(host);
}

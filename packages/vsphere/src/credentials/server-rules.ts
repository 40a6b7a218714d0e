import { isIP } from "node:net";
import { IdentityError } from "../errors.ts";
import type { AddressRule } from "../vim/address-rule.ts";
import { isServerListed } from "./policies.ts";
import { type TenantNetwork, tenantAddressRule } from "./tenant-networks.ts";

/** Which servers passwords may be sent to, beside those that an identity names itself. */
export interface ServerRules {
  /** The vCenters of the installation. Read for each decision: some are in a mounted Secret. */
  readonly listed: () => Promise<readonly string[]>;
  /** Whether an identity without `allowedServers` may be used with any server. */
  readonly isAnyServerAllowed: boolean;
  /** The networks of servers that nobody lists; any but special addresses where there is none. */
  readonly tenantNetworks: readonly TenantNetwork[];
  /** Addresses that are special in this cluster, such as that of its API server. */
  readonly refusedAddresses: readonly string[];
}

/** How a server may be used. */
export interface ServerUse {
  readonly server: string;
  /** Whether an administrator named it: tenants may then know what is wrong with it. */
  readonly isListed: boolean;
  /** Which addresses it may have; any where the rule is absent. */
  readonly allowsAddress?: AddressRule;
  /** Why it would be refused to a new cluster, where it is one that was used before. */
  readonly kept?: string;
}

/** The use of a server that an administrator named. */
export const listedServer = (server: string): ServerUse => ({ server, isListed: true });

/**
 * The use of a server that a tenant chose, which nobody lists.
 * Errors: IdentityError, where its port, its address or its name show that it may not be used. What its
 * name resolves to is checked by the connection.
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

/** Names of Services and pods, and of this machine. */
function isInCluster(host: string): boolean {
  return /(^|\.)(localhost|svc|cluster\.local|svc\..*)\.?$/.test(host);
}

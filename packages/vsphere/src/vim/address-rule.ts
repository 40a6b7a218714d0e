import { type LookupAddress, type LookupAllOptions, lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { AddressNotAllowedError } from "../errors.ts";

/** Whether a connection may go to an address. */
export type AddressRule = (address: string) => boolean;

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses?: LookupAddress[]) => void,
) => void;

const resolveAll: Resolve = (hostname, options, callback) => lookup(hostname, options, callback);

/**
 * Resolves names for connections with a rule: a name with one closed address is refused. The name is absolute, so that no
 * search domain of the cluster completes it, and the connection uses the checked addresses.
 */
export function ruledLookup(allows: AddressRule, resolve = resolveAll): LookupFunction {
  return (hostname, options, callback) => {
    const absolute = hostname.endsWith(".") ? hostname : `${hostname}.`;
    resolve(absolute, { ...options, all: true }, (error, addresses = []) => {
      const [first] = addresses;
      if (error || !first) return callback(error ?? new AddressNotAllowedError(hostname), "");
      if (!addresses.every(({ address }) => allows(address))) {
        return callback(new AddressNotAllowedError(hostname), "");
      }
      if (options.all) return callback(null, [...addresses]);
      return callback(null, first.address, first.family);
    });
  };
}

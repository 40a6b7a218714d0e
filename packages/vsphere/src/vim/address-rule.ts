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
 * Resolves names for connections that keep to a rule: a name with one address that is refused is
 * refused as a whole. The name is absolute, so that no search domain of the cluster completes it, and
 * the connection goes to the addresses that were checked.
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
      return options.all
        ? answerAll(callback, addresses)
        : callback(null, first.address, first.family);
    });
  };
}

function answerAll(
  callback: Parameters<LookupFunction>[2],
  addresses: readonly LookupAddress[],
): void {
  callback(null, [...addresses]);
}

import { BindAddressError } from "../errors.ts";

/** Where a server listens. */
export interface BindAddress {
  /** "" for every address of the machine. */
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

const pattern = /^(?:\[(?<v6>[^\]]*)\]|(?<host>[^:]*)):(?<port>\d+)$/;

/**
 * Reads "host:port", "[::1]:port" or ":port", as Go's net.Listen does; "0" and "" are for no server
 * at all. Throws a BindAddressError.
 */
export function parseBindAddress(text: string): BindAddress | undefined {
  if (text === "" || text === "0") return undefined;
  const { v6, host = "", port = "" } = pattern.exec(text)?.groups ?? {};
  if (port === "" || Number(port) > 65_535) throw new BindAddressError(text);
  return { host: v6 ?? host, port: Number(port) };
}

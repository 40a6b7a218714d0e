import { ListenError } from "@rookery/http";

/** As Go does it: without a host, both families where a machine has IPv6, else the one that it has. */
export async function listenOn<T>(host: string, listen: (host: string) => Promise<T>): Promise<T> {
  try {
    return await listen(host || "::");
  } catch (error) {
    if (host !== "" || !lacksIpv6(error)) throw error;
    return listen("0.0.0.0");
  }
}

function lacksIpv6(error: unknown): boolean {
  if (!(error instanceof ListenError)) return false;
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return code === "EAFNOSUPPORT" || code === "EADDRNOTAVAIL";
}

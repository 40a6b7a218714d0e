import { type UserInfo, userOf, writeHttpError } from "@rookery/apiserver";
import type { Handler, HttpHeaders } from "@rookery/http";
import type { Store } from "../store/store.ts";
import { goNetworkError } from "../webhooks/go-network-error.ts";
import { type Address, resolveService } from "../webhooks/service-resolver.ts";
import { type ApiService, isAvailable, serviceOf } from "./api-service.ts";
import type { RemoteClients } from "./remote-clients.ts";

/**
 * Proxies requests to the server behind an APIService. The user is passed in headers that the
 * front-proxy certificate authenticates. Watches and upgrades pass through.
 */
export function proxyHandler(
  apiService: ApiService,
  { store, clients }: { readonly store: Store; readonly clients: RemoteClients },
): Handler {
  return async (request) => {
    const address = isAvailable(apiService) ? addressOf(apiService, store) : undefined;
    if (!address) return writeHttpError(503, "service unavailable");
    const headers = { ...ownHeaders(request.headers), ...userHeaders(userOf(request)) };
    try {
      return await clients.clientOf(apiService, address).handler({ ...request, headers });
    } catch (error) {
      if (request.signal.aborted) throw error;
      return writeHttpError(503, goNetworkError(error, address));
    }
  };
}

function addressOf(apiService: ApiService, store: Store): Address | undefined {
  const service = serviceOf(apiService);
  try {
    return service && resolveService(store, service);
  } catch {
    return undefined;
  }
}

/** Removes credentials, and headers that a client could use to pose as another user. */
function ownHeaders(headers: HttpHeaders): HttpHeaders {
  const kept = Object.entries(headers).filter(
    ([name]) => name !== "authorization" && !/^(?:x-remote-|impersonate-)/.test(name),
  );
  return Object.fromEntries(kept);
}

/** The user in the headers of an authenticating proxy. */
export function userHeaders({ name, uid, groups, extra }: UserInfo): HttpHeaders {
  const extras = Object.entries(extra ?? {}).map(
    ([key, values]) => [`x-remote-extra-${escapedKey(key)}`, values] as const,
  );
  return {
    "x-remote-user": name,
    ...(uid && { "x-remote-uid": uid }),
    ...(groups.length > 0 && { "x-remote-group": groups }),
    ...Object.fromEntries(extras),
  };
}

/** Percent-encodes what a header name can't contain. */
function escapedKey(key: string): string {
  return key
    .toLowerCase()
    .replace(/[^a-z0-9!#$&'*+\-.^_`|~]/g, (character) =>
      [...Buffer.from(character)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
        .join(""),
    );
}

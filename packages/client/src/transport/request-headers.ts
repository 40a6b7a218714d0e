import type { Interceptor } from "@rookery/http";
import type { Impersonation } from "../kubeconfig/client-config.ts";

type HeaderValues = Record<string, string | readonly string[]>;

/** Unless the request has its own. */
export function setUserAgent(userAgent: string): Interceptor {
  return (next) => (request) => {
    const { headers } = request;
    if (headers["user-agent"] !== undefined) return next(request);
    return next({ ...request, headers: { ...headers, "user-agent": userAgent } });
  };
}

/** Unless the request impersonates by itself. */
export function impersonate(impersonation: Impersonation): Interceptor {
  const added = impersonationHeaders(impersonation);
  return (next) => (request) => {
    const { headers } = request;
    if (headers["impersonate-user"] !== undefined) return next(request);
    return next({ ...request, headers: { ...headers, ...added } });
  };
}

function impersonationHeaders({ user, uid, groups, extra = {} }: Impersonation): HeaderValues {
  const headers: HeaderValues = { "impersonate-user": user };
  if (uid) headers["impersonate-uid"] = uid;
  if (groups && groups.length > 0) headers["impersonate-group"] = groups;
  for (const [key, values] of Object.entries(extra)) {
    headers[`impersonate-extra-${escapeHeaderKey(key)}`] = values;
  }
  return headers;
}

/** Percent-encodes characters that header names must not contain; the server decodes them. */
function escapeHeaderKey(key: string): string {
  const percent = (byte: number) => `%${byte.toString(16).padStart(2, "0")}`;
  return key
    .toLowerCase()
    .replaceAll(/[^a-z0-9!#$&'*+.^_`|~-]+/g, (text) =>
      Array.from(Buffer.from(text, "utf8"), percent).join(""),
    );
}

/** For servers below a path. */
export function addBasePath(basePath: string): Interceptor {
  return (next) => (request) => next({ ...request, path: `${basePath}${request.path}` });
}

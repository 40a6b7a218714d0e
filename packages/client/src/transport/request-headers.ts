import type { Interceptor } from "@rookery/http";
import type { Impersonation } from "../kubeconfig/client-config.ts";

type HeaderValues = Record<string, string | readonly string[]>;

/** Says which program asks, unless the request says so itself. */
export function setUserAgent(userAgent: string): Interceptor {
  return (next) => (request) => {
    const { headers } = request;
    if (headers["user-agent"] !== undefined) return next(request);
    return next({ ...request, headers: { ...headers, "user-agent": userAgent } });
  };
}

/** Acts as somebody else, unless the request says itself whom to act as. */
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

/** Percent-encodes what must not be in the name of a header; the server decodes it. */
function escapeHeaderKey(key: string): string {
  const percent = (byte: number) => `%${byte.toString(16).padStart(2, "0")}`;
  return key
    .toLowerCase()
    .replaceAll(/[^a-z0-9!#$&'*+.^_`|~-]+/g, (text) =>
      Array.from(Buffer.from(text, "utf8"), percent).join(""),
    );
}

/** Puts a path before that of every request, for a server that is not at the root of its host. */
export function addBasePath(basePath: string): Interceptor {
  return (next) => (request) => next({ ...request, path: `${basePath}${request.path}` });
}

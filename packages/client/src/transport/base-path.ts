import type { Interceptor } from "@rookery/http";

/** Puts a path before that of every request, for a server that is not at the root of its host. */
export function addBasePath(basePath: string): Interceptor {
  return (next) => (request) => next({ ...request, path: `${basePath}${request.path}` });
}

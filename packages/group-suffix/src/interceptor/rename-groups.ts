import type { Handler, HttpRequest, HttpResponse, Interceptor } from "@rookery/http";
import { refuse } from "./refuse.ts";
import { renameRequest } from "./rename-request.ts";
import { renameResponse } from "./rename-response.ts";
import { createRenaming, type RenameOptions, type Renaming } from "./renaming.ts";
import { asksForWatch } from "./request-query.ts";
import { refusalOf, targetOfPath } from "./request-target.ts";

/**
 * Around a client or in a proxy, towards the API server: the app speaks of its virtual groups, the
 * server of the real ones. Undefined where the mapping is empty: no suffix, no interceptor.
 *
 * A path that names a real group is refused as one that is not there. What cannot be read is refused
 * too, with the Status of an API server; what turns out so after the answer has begun ends it with a
 * reset. Errors: InvalidRuleError.
 */
export function renameGroups(options: RenameOptions): Interceptor | undefined {
  if (options.mapping.pairs.length === 0) return undefined;
  const renaming = createRenaming(options);
  return (next) => (request) => exchange(request, next, renaming);
}

/** Sends a renamed request on and renames the answer. */
export async function exchange(
  request: HttpRequest,
  next: Handler,
  renaming: Renaming,
): Promise<HttpResponse> {
  const about = targetOfPath(request.path, renaming.mapping);
  if (about === undefined) return refuse(request, refusalOf(request.path));
  if (about.shape === "other") return next({ ...request, path: about.path });
  const renamed = await renameRequest(request, about, renaming).catch((error: unknown) => {
    return refuse(request, error);
  });
  if ("status" in renamed) return renamed;
  const isWatch = about.isWatchPath || (about.name === undefined && asksForWatch(request.query));
  return renameResponse(await next(renamed), { about, isWatch }, renaming);
}

import type { Interceptor } from "@rookery/http";
import { createGroupMapping } from "../mapping/group-mapping.ts";
import { exchange } from "./rename-groups.ts";
import { renameReview } from "./rename-review.ts";
import { createRenaming, type RenameOptions } from "./renaming.ts";

const apiPath = /^\/+(?:apis?|openapi)(?:\/|$)/;

/**
 * Around an app's webhooks, for calls that come from the API server: it speaks of real groups, the
 * app of its virtual ones. Reviews keep their path, which is the app's own; calls of an aggregated
 * API are renamed as `renameGroups` does it, the other way round. Undefined where the mapping is
 * empty. Errors: InvalidRuleError.
 */
export function renameCallbacks(options: RenameOptions): Interceptor | undefined {
  const { pairs } = options.mapping;
  if (pairs.length === 0) return undefined;
  const reversed = pairs.map(({ virtual, real, ...rest }) => ({
    ...rest,
    virtual: real,
    real: virtual,
  }));
  const renaming = createRenaming({ ...options, mapping: createGroupMapping(reversed) });
  const { review } = renaming.renamers;
  return (next) => (request) =>
    apiPath.test(request.path)
      ? exchange(request, next, renaming)
      : renameReview(request, next, review);
}

import type { Job } from "../shared/objects.ts";
import { parseIndexes } from "./index-list.ts";

/** Which rule says that enough indexes have succeeded, in Kubernetes' words. */
export function successOf({ spec }: Job, succeeded: ReadonlySet<number>): string | undefined {
  if (succeeded.size === 0) return undefined;
  const index = (spec.successPolicy?.rules ?? []).findIndex((rule) => {
    const { succeededIndexes, succeededCount } = rule;
    if (succeededIndexes === undefined) return succeeded.size >= (succeededCount ?? Infinity);
    const required = parseIndexes(succeededIndexes, spec.completions ?? 0);
    const reached = [...required].filter((each) => succeeded.has(each)).length;
    if (required.size === 0) return false;
    return reached === required.size || reached >= (succeededCount ?? Infinity);
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}

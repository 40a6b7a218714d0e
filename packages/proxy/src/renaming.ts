import {
  createGroupMapping,
  hideGroups,
  renameCallbacks,
  renameGroups,
} from "@rookery/group-suffix";
import type { Interceptor } from "@rookery/http";
import type { ProxyParts } from "./proxy-parts.ts";

/** The renaming in each direction; undefined for an empty mapping. */
export interface Renaming {
  readonly groups: Interceptor | undefined;
  readonly callbacks: Interceptor | undefined;
}

/** Errors: InvalidMappingError, InvalidRuleError, which the flags exclude. */
export function createRenaming({ flags, logger }: Pick<ProxyParts, "flags" | "logger">): Renaming {
  const options = {
    mapping: createGroupMapping([...flags.apiGroupSuffix, ...flags.map]),
    rules: flags.rule,
    onWarning: (warning: string) => logger.info("An API group was not renamed", { warning }),
  };
  const rename = renameGroups(options);
  const hide = hideGroups({
    mapping: options.mapping,
    hide: flags.hideGroup,
    show: flags.showGroup,
  });
  return {
    groups: rename && ((next) => rename(hide(next))),
    callbacks: renameCallbacks(options),
  };
}

import {
  createGroupMapping,
  hideGroups,
  renameCallbacks,
  renameGroups,
} from "@rookery/group-suffix";
import type { Interceptor } from "@rookery/http";
import type { ProxyParts } from "./proxy-parts.ts";

/** What renames in each direction; undefined where the flags map nothing, so that it costs nothing. */
export interface Renaming {
  readonly groups: Interceptor | undefined;
  readonly callbacks: Interceptor | undefined;
}

/** Errors: InvalidMappingError, InvalidRuleError; the flags are checked for both before. */
export function createRenaming({ flags, logger }: Pick<ProxyParts, "flags" | "logger">): Renaming {
  const options = {
    mapping: createGroupMapping([...flags.apiGroupSuffix, ...flags.map]),
    rules: flags.rule,
    onWarning: (warning: string) => logger.info("Something may need a hand", { warning }),
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

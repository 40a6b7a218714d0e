import { InvalidMappingError } from "../errors.ts";
import { createGroupMapping, type GroupMapping, type SuffixPair } from "./group-mapping.ts";

export interface MappingFlags {
  /** The real suffix; "" or the virtual one map nothing. */
  readonly apiGroupSuffix?: string;
  /** The suffix of the app's own groups; pinniped.dev where absent. */
  readonly virtualSuffix?: string;
  /** "v=r" maps one group, "*.v=*.r" all groups that end with a dot and v. */
  readonly map?: readonly string[];
}

/** Throws InvalidMappingError with all problems. */
export function mappingFromFlags(flags: MappingFlags): GroupMapping {
  const { apiGroupSuffix = "", virtualSuffix = defaultSuffix, map = [] } = flags;
  const suffix = { virtual: virtualSuffix, real: apiGroupSuffix };
  const wrong = map.filter((text) => pairOf(text) === undefined);
  if (wrong.length > 0) throw new InvalidMappingError(wrong.map(unreadable));
  const pairs = map.flatMap((text) => pairOf(text) ?? []);
  return createGroupMapping([...(apiGroupSuffix === "" ? [] : [suffix]), ...pairs]);
}

function pairOf(text: string): SuffixPair | undefined {
  const [, star, virtual, realStar, real] = /^(\*\.)?([^=*]+)=(\*\.)?([^=*]+)$/.exec(text) ?? [];
  if (virtual === undefined || real === undefined || star !== realStar) return undefined;
  return { virtual, real, match: star === undefined ? "group" : "suffix" };
}

function unreadable(text: string): string {
  return `${JSON.stringify(text)} is no mapping: write virtual=real for one group, or *.virtual=*.real for all that end so`;
}

/** The suffix of Pinniped's API groups in code and in an unconfigured cluster. */
export const defaultSuffix = "pinniped.dev";

/**
 * Replaces the suffix of a group; undefined where the group does not end with a dot and
 * `virtualSuffix`.
 */
export function replace(
  group: string,
  suffix: string,
  virtualSuffix = defaultSuffix,
): string | undefined {
  if (!group.endsWith(`.${virtualSuffix}`)) return undefined;
  return group.slice(0, group.length - virtualSuffix.length) + suffix;
}

/** The inverse of `replace`. */
export function unreplace(
  group: string,
  suffix: string,
  virtualSuffix = defaultSuffix,
): string | undefined {
  return replace(group, virtualSuffix, suffix);
}

/** The suffix that Pinniped's API groups have in its code, and without configuration in a cluster. */
export const defaultSuffix = "pinniped.dev";

/**
 * The group with its suffix replaced; undefined where the group does not end with a dot and
 * `virtualSuffix`: the bare suffix is no match, and neither is one that only ends alike.
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

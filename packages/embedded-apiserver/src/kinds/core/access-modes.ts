const short: readonly (readonly [string, string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

/** As kubectl shows them: "RWO,ROX". */
export function formatAccessModes(modes: readonly string[]): string {
  return short
    .filter(([mode]) => modes.includes(mode))
    .map(([, name]) => name)
    .join(",");
}

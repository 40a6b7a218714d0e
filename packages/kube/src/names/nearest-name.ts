/** The closest of the names, if one is close enough. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const limit = Math.floor((given.length + 1) / 3);
  const near = names
    .map((name) => ({ name, distance: editDistance(given, name) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.name;
}

/** The number of characters to add, remove, replace or swap with the next. */
function editDistance(from: string, to: string): number {
  const [a, b] = [[...from], [...to]];
  const rows = [b.map((_, column) => column).concat(b.length)];
  const at = (line: number, column: number) => rows[line]?.[column] ?? 0;
  for (const [line, letter] of a.entries()) {
    const next = [line + 1];
    rows.push(next);
    for (const [column, other] of b.entries()) {
      const replaced = at(line, column) + (letter === other ? 0 : 1);
      const added = (next[column] ?? 0) + 1;
      const removed = at(line, column + 1) + 1;
      const isSwapped = line > 0 && column > 0 && letter === b[column - 1] && other === a[line - 1];
      const swapped = isSwapped ? at(line - 1, column - 1) + 1 : replaced;
      next.push(Math.min(replaced, added, removed, swapped));
    }
  }
  return at(a.length, b.length);
}

/** "; did you mean vsphere?" for a typo of one of the names, else "". */
export function didYouMean(typed: string, names: readonly string[]): string {
  const near = names.includes(typed) ? undefined : nearestName(typed, [...new Set(names)]);
  return near === undefined ? "" : `; did you mean ${near}?`;
}

/** The name that was probably meant, if one is near enough. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const limit = Math.floor((given.length + 1) / 3);
  const near = names
    .map((name) => ({ name, distance: editDistance(given, name) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.name;
}

/** How many characters have to be added, removed or replaced. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      const added = (next[column] ?? 0) + 1;
      const removed = (row[column + 1] ?? 0) + 1;
      next.push(Math.min(replaced, added, removed));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

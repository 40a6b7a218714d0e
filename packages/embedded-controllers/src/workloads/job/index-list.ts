/** Reads "1,3-5,7"; what is not below the number of completions is left out. */
export function parseIndexes(text: string | undefined, completions: number): Set<number> {
  const indexes = new Set<number>();
  for (const interval of text ? text.split(",") : []) {
    const [first = Number.NaN, last = first] = interval.split("-").map(Number);
    for (let index = first; index <= Math.min(last, completions - 1); index++) indexes.add(index);
  }
  return indexes;
}

/** Writes "1,3-5,7": three or more in a row as an interval. */
export function formatIndexes(indexes: Iterable<number>): string {
  const intervals: { first: number; last: number }[] = [];
  for (const index of [...indexes].toSorted((a, b) => a - b)) {
    const current = intervals.at(-1);
    if (current?.last === index - 1) current.last = index;
    else intervals.push({ first: index, last: index });
  }
  return intervals
    .map(({ first, last }) => {
      if (first === last) return `${first}`;
      return `${first}${last === first + 1 ? "," : "-"}${last}`;
    })
    .join(",");
}

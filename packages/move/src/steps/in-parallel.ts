/** How many requests are on their way at a time: more do not make an API server faster. */
const width = 24;

/** Does work for each item, some at a time; after a failure nothing new is begun, and the first one is thrown. */
export async function inParallel<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  let failure: { readonly error: unknown } | undefined;
  const worker = async () => {
    for (const item of queue) {
      if (failure) return;
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  if (failure) throw failure.error;
}

/** Group by group, the next one when all of a group is done. */
export async function groupByGroup<T extends { readonly group: number }>(
  items: readonly T[],
  order: "ascending" | "descending",
  work: (group: readonly T[]) => Promise<void>,
): Promise<void> {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const found = groups.get(item.group);
    if (found) found.push(item);
    else groups.set(item.group, [item]);
  }
  const numbers = [...groups.keys()].sort((a, b) => (order === "ascending" ? a - b : b - a));
  for (const number of numbers) await work(groups.get(number) ?? []);
}

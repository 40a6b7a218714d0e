/** Concurrent requests; more do not make an API server faster. */
const width = 24;

/** Runs work for each item, several at a time; starts none after an error, and throws the first one. */
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

export async function groupByGroup<T extends { readonly group: number }>(
  items: readonly T[],
  order: "ascending" | "descending",
  work: (group: readonly T[]) => Promise<void>,
): Promise<void> {
  const groups = Map.groupBy(items, ({ group }) => group);
  const numbers = [...groups.keys()].sort((a, b) => (order === "ascending" ? a - b : b - a));
  for (const number of numbers) await work(groups.get(number) ?? []);
}

/**
 * How many requests for components of one provider are on their way at a time. An API server begins to
 * establish CRDs when it has the first: more at once take longer until then, and more connections.
 */
const width = 3;

/** Does something with each item, several at a time; the results are in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}

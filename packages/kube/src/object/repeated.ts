/** The indices of items that occur earlier in the list. */
export function repeatedPlaces(items: readonly unknown[]): ReadonlySet<number> {
  const seen = new Set<unknown>();
  const places = new Set<number>();
  for (const [place, item] of items.entries()) {
    if (seen.has(item)) places.add(place);
    seen.add(item);
  }
  return places;
}

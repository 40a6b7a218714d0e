/** Adds all items to a list. Spreading them into `push()` would overflow the stack if they are many. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

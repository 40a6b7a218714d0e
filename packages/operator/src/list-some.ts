/** "a, b and 3 more": the first few items, for messages. */
export function listSome(items: readonly string[], most: number, separator = ", "): string {
  const more = items.length > most ? ` and ${items.length - most} more` : "";
  return `${items.slice(0, most).join(separator)}${more}`;
}

/** A word for why a request failed: the code that errors of this project carry. */
export function reasonOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : "Unknown";
}

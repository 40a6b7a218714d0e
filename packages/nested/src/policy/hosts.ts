/** Whether a name or an address is one of the patterns: itself, all names below one, or any. */
export function isAllowedHost(host: string, patterns: readonly string[]): boolean {
  const name = host.toLowerCase();
  return patterns.some((pattern) => {
    const wanted = pattern.toLowerCase();
    if (wanted === "*" || wanted === name) return true;
    return wanted.startsWith("*.") && name.endsWith(wanted.slice(1));
  });
}

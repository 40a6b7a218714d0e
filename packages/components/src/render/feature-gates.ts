/** Merges gates over those of a flag's value ("A=true,B=false"), which keep their order. */
export function mergeFeatureGates(value: string, gates: Readonly<Record<string, boolean>>): string {
  const own = value
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => entry.split("=") as [string, string]);
  const merged = new Map<string, unknown>([...own, ...Object.entries(gates)]);
  return Array.from(merged, ([name, state]) => `${name}=${state}`).join(",");
}

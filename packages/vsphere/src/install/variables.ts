/** A variable of a release's files, as clusterctl replaces it; one without a default must be given. */
export function variable(name: string, fallback?: string | number): string {
  return `\${${name}${fallback === undefined ? "" : `:=${fallback}`}}`;
}

/** One that may be left out. clusterctl takes an empty default for none; space alone is read as empty. */
export function optional(name: string): string {
  return variable(name, " ");
}

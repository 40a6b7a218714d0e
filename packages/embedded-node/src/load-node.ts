/**
 * Loads the code of the node. Servers without one, and commands that only look for processes of a
 * former run, do without it.
 */
export function loadNode(): Promise<typeof import("./running-node.ts")> {
  return import("./running-node.ts");
}

import type { InstallOptions } from "./installation.ts";

/**
 * Everything that the operator consists of, in the order in which it can be applied. Loaded when it is
 * called, so that other commands are quick. Errors: InstallError.
 */
export async function renderOperator(options: InstallOptions): Promise<readonly object[]> {
  const { operatorManifests } = await import("./manifests.ts");
  return operatorManifests(options);
}

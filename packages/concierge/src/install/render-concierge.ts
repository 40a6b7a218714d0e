import type { InstallOptions } from "./instance.ts";

/**
 * Everything that one instance of the concierge consists of, in the order in which it can be applied.
 * Instances with different suffixes and namespaces share no object. Loaded when it is called, so that
 * `rookery login` is quick. Errors: InstallError.
 */
export async function renderConcierge(options: InstallOptions): Promise<readonly object[]> {
  const { conciergeManifests } = await import("./manifests.ts");
  return conciergeManifests(options);
}

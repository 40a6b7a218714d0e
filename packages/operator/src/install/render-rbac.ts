import type { InstallOptions } from "./installation.ts";

export interface RbacOptions extends Pick<InstallOptions, "namespace"> {
  /** Where a provider's components go; where they say themselves where absent. */
  readonly targetNamespace?: string;
  /** Values of variables that components have in names. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * The smallest roles with which the operator can install and delete the providers of some components
 * files, to be applied over its own. Errors: DocumentError, SubstitutionError, RenderError, InstallError.
 */
export async function renderOperatorRbac(
  files: readonly string[],
  options: RbacOptions = {},
): Promise<readonly object[]> {
  const { lockedManifests } = await import("./locked-manifests.ts");
  return lockedManifests(files, options);
}

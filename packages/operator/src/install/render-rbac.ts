import type { InstallOptions } from "./installation.ts";

/** A components file of a provider. */
export interface RbacFile {
  /** YAML. */
  readonly text: string;
  /** Where instances of it live that divide namespaces; absent where there is only one. */
  readonly instances?: readonly string[];
}

export interface RbacOptions extends Pick<InstallOptions, "namespace"> {
  /** Where a provider's components go; where they say themselves where absent. */
  readonly targetNamespace?: string;
  /** Namespaces that instances have rights in alone: spec.watch.rbac is Namespaced. */
  readonly watchedNamespaces?: readonly string[];
  /** Values of variables that components have in names. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * The smallest roles with which the operator can install and delete the providers of some components
 * files, once or as instances, to be applied over its own. Errors: DocumentError, SubstitutionError,
 * RenderError, InstallError.
 */
export async function renderOperatorRbac(
  files: readonly RbacFile[],
  options: RbacOptions = {},
): Promise<readonly object[]> {
  const { lockedManifests } = await import("./locked-manifests.ts");
  return lockedManifests(files, options);
}

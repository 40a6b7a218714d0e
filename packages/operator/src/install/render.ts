import type { InstallOptions } from "./installation.ts";

/** The objects of the operator, in the order to apply them. Errors: InstallError. */
export async function renderOperator(options: InstallOptions): Promise<readonly object[]> {
  const { operatorManifests } = await import("./manifests.ts");
  return operatorManifests(options);
}

export interface RbacFile {
  readonly text: string;
  /** The namespaces of its instances, if there are several. */
  readonly instances?: readonly string[];
}

export interface RbacOptions extends Pick<InstallOptions, "namespace"> {
  /** The namespace of the components; that of the file by default. */
  readonly targetNamespace?: string;
  /** Namespaces of instances with spec.watch.rbac Namespaced. */
  readonly watchedNamespaces?: readonly string[];
  /** Values of variables in the names of components. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Roles limited to some components, in place of the operator's own. Errors: those of rendering. */
export async function renderOperatorRbac(
  files: readonly RbacFile[],
  options: RbacOptions = {},
): Promise<readonly object[]> {
  const { lockedManifests } = await import("./locked-manifests.ts");
  return lockedManifests(files, options);
}

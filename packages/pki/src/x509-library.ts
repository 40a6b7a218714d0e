export type X509Library = typeof import("@peculiar/x509");

let library: Promise<X509Library> | undefined;

/** Loads the library that encodes certificates, at the first use: the import is slow. */
export function loadX509Library(): Promise<X509Library> {
  if (library === undefined) {
    provideReflectMetadata();
    library = import("@peculiar/x509");
  }
  return library;
}

/**
 * At import, the library's dependency container needs the metadata functions of a rejected JavaScript
 * proposal. They may return nothing: no class of the library has constructor parameters.
 */
function provideReflectMetadata(): void {
  const noMetadata = () => undefined;
  for (const name of ["getMetadata", "getOwnMetadata", "defineMetadata"]) {
    if (!(name in Reflect)) Object.defineProperty(Reflect, name, { value: noMetadata });
  }
}

export type X509Library = typeof import("@peculiar/x509");

let library: Promise<X509Library> | undefined;

/**
 * Loads the library that encodes certificates, at the first use: the import takes longer than
 * everything else in this package, and reading a certificate does without it.
 */
export function loadX509Library(): Promise<X509Library> {
  library ??= importLibrary();
  return library;
}

async function importLibrary(): Promise<X509Library> {
  provideReflectMetadata();
  return import("@peculiar/x509");
}

/**
 * The library's dependency container asks at import for the metadata functions of a proposal that
 * never became part of JavaScript. No class of the library has constructor parameters, so that
 * "there is no metadata" is the complete answer.
 */
function provideReflectMetadata(): void {
  const noMetadata = () => undefined;
  for (const name of ["getMetadata", "getOwnMetadata", "defineMetadata"]) {
    if (!(name in Reflect)) Object.defineProperty(Reflect, name, { value: noMetadata });
  }
}

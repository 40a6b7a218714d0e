export function enableCompileCache(
  env?: Readonly<Record<string, string | undefined>>,
  uid?: number,
): { readonly status: number; readonly directory?: string } | undefined;

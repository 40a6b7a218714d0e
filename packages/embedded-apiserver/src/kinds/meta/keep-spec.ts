/** A change of the status leaves the spec as it is; labels and annotations may change with it. */
export function keepSpec<T extends { spec?: unknown }>(object: T, old: T): void {
  if (old.spec === undefined) delete object.spec;
  else object.spec = old.spec;
}

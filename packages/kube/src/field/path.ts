/**
 * Where a field lies in an object, printed as Kubernetes prints it: `spec.containers[0].name`.
 * Immutable; a path is made by going on from `FieldPath.root`.
 */
export class FieldPath {
  /** The object itself. It prints as "<nil>", which is what Kubernetes shows for it. */
  static readonly root: FieldPath = new FieldPath(undefined, "");

  readonly #parent: FieldPath | undefined;
  readonly #segment: string;
  #text: string | undefined;

  private constructor(parent: FieldPath | undefined, segment: string) {
    this.#parent = parent;
    this.#segment = segment;
  }

  /** A field of this one, or a field of a field of it. */
  child(...names: readonly string[]): FieldPath {
    let path: FieldPath = this;
    for (const name of names) path = path.#named(name);
    return path;
  }

  /** An item of this list. */
  index(index: number): FieldPath {
    return new FieldPath(this, `[${index}]`);
  }

  /** An entry of this map. */
  key(key: string): FieldPath {
    return new FieldPath(this, `[${key}]`);
  }

  #named(name: string): FieldPath {
    if (name === "") return this.key("");
    return new FieldPath(this, this.#parent === undefined ? name : `.${name}`);
  }

  /** Many problems may lie below one long path: its text is made once, and is a part of theirs. */
  toString(): string {
    if (this.#parent === undefined) return "<nil>";
    const isFirst = this.#parent.#parent === undefined;
    this.#text ??= isFirst ? this.#segment : this.#parent.toString() + this.#segment;
    return this.#text;
  }
}

/** The path of a field by its names from the root: `fieldPath("spec", "replicas")`. */
export function fieldPath(...names: readonly string[]): FieldPath {
  return FieldPath.root.child(...names);
}

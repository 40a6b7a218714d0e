/** The place of a field, printed as in Kubernetes: `spec.containers[0].name`. Immutable. */
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

  child(...names: readonly string[]): FieldPath {
    let path: FieldPath = this;
    for (const name of names) path = path.#named(name);
    return path;
  }

  index(index: number): FieldPath {
    return new FieldPath(this, `[${index}]`);
  }

  key(key: string): FieldPath {
    return new FieldPath(this, `[${key}]`);
  }

  #named(name: string): FieldPath {
    if (name === "") return this.key("");
    return new FieldPath(this, this.#parent === undefined ? name : `.${name}`);
  }

  /** Cached: many problems may share one long parent path. */
  toString(): string {
    if (this.#parent === undefined) return "<nil>";
    const isFirst = this.#parent.#parent === undefined;
    this.#text ??= isFirst ? this.#segment : this.#parent.toString() + this.#segment;
    return this.#text;
  }
}

export function fieldPath(...names: readonly string[]): FieldPath {
  return FieldPath.root.child(...names);
}

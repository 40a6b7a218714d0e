/** A path in the notation of OpenAPI validation: `spec.list[0].field`. */
export class ValuePath {
  static readonly root = new ValuePath(undefined, "");
  readonly #parent: ValuePath | undefined;
  readonly #segment: string;
  /** Cached as part of longer paths. */
  #text: string | undefined;

  private constructor(parent: ValuePath | undefined, segment: string) {
    this.#parent = parent;
    this.#segment = segment;
  }

  property(name: string): ValuePath {
    return new ValuePath(this, this.#parent === undefined ? name : `.${name}`);
  }

  /** A map entry or a missing field: with a dot even at the root. */
  entry(key: string): ValuePath {
    return new ValuePath(this, `.${key}`);
  }

  index(index: number): ValuePath {
    return new ValuePath(this, `[${index}]`);
  }

  get isRoot(): boolean {
    return this.#parent === undefined;
  }

  toString(): string {
    this.#text ??= this.#parent === undefined ? "" : this.#parent.toString() + this.#segment;
    return this.#text;
  }
}

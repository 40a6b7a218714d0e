/**
 * A struct as Kubernetes shows it in its errors: by the names that its fields have inside, all of
 * them, in their order.
 */
export class GoStruct {
  readonly #fields: object;

  constructor(fields: object) {
    this.#fields = fields;
  }

  toJSON(): object {
    return this.#fields;
  }
}

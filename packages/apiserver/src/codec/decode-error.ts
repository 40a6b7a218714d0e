/** A body that can't be read as what it says it is. The message is Kubernetes' own. */
export class DecodeError extends Error {
  readonly code = "UndecodableBody";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "DecodeError";
  }
}

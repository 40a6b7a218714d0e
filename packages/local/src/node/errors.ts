/** Something that a node can't do, with the way out. */
export class NodeError extends Error {
  readonly code = "NodeFailed";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "NodeError";
  }
}

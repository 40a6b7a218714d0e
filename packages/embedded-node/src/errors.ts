/** Something that a node can't do, with the way out. */
export class NodeError extends Error {
  readonly code = "NodeFailed";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "NodeError";
  }
}

/** A container can't be made by its pod's spec: CreateContainerConfigError says why, in a kubelet's words. */
export class ContainerConfigError extends Error {
  readonly code = "ContainerConfig";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ContainerConfigError";
  }
}

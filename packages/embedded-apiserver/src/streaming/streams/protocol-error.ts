/** A peer that does not keep to the protocol that it asked for: its connection is closed. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly code = "StreamProtocol";

  constructor(why: string) {
    super(`could not go on with the connection: ${why}`);
  }
}

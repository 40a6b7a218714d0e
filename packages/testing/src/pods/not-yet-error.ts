/** Why a container can't be started yet; it is tried again. */
export class NotYetError extends Error {
  readonly code = "NotYet";
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

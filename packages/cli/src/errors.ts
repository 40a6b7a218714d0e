/** The arguments of a command are wrong; the message says how, and where help is. */
export class UsageError extends Error {
  readonly code = "Usage";
  override readonly name = "UsageError";
}

/** Not a failure: what was asked for was printed while the arguments were read. */
export class HelpShown extends Error {
  readonly code = "HelpShown";
  override readonly name = "HelpShown";
}

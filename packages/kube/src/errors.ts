/** Text that does not follow its grammar: a quantity, a duration, a selector, an apiVersion. */
export class ParseError extends Error {
  readonly code = "InvalidFormat";
  /** What the text should have been, such as "quantity". */
  readonly noun: string;
  readonly input: string;
  /** Why it is not, in Kubernetes' (or Go's) own words. */
  readonly reason: string;

  constructor(noun: string, input: string, reason: string) {
    super(`could not parse ${noun} ${JSON.stringify(input)}: ${reason}`);
    this.name = "ParseError";
    this.noun = noun;
    this.input = input;
    this.reason = reason;
  }
}

/** A quantity that has no exact answer to what it is asked, or only an absurdly long one. */
export class QuantityError extends Error {
  readonly code = "QuantityOutOfRange";

  /** `operation` reads after "could not": a verb and the quantities. */
  constructor(operation: string, why: string) {
    super(`could not ${operation}: ${why}`);
    this.name = "QuantityError";
  }
}

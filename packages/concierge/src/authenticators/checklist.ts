import { type ConditionStatement, type Finding, isFalse, isTrue, isUnknown } from "@rookery/kube";
import { errorFinding } from "@rookery/runtime";
import { CheckError } from "../errors.ts";
import type { TokenAuthenticator } from "./authenticator.ts";
import type { Examination } from "./registry.ts";

interface Checked<T> {
  readonly value: T;
  /** The message of the condition that is true. */
  readonly message: string;
}

/** Checks one thing. Errors: CheckError, which becomes the condition; of any other, its type does. */
export type Check<T> = () => Checked<T> | Promise<Checked<T>>;

/** Checks that build on one another, each of which becomes a condition. */
export class Checklist {
  readonly #statements: ConditionStatement[] = [];
  /** The first error that was no CheckError. */
  #unforeseen: unknown;

  /**
   * Makes a check and returns its value. The check is undefined where a check before it failed: then the
   * condition is unknown.
   */
  async check<T>(type: string, check: Check<T> | undefined): Promise<T | undefined> {
    if (check === undefined) return this.#add(type, unableToValidate);
    try {
      const { value, message } = await check();
      this.#add(type, isTrue("Success", message));
      return value;
    } catch (error) {
      if (error instanceof CheckError) return this.#add(type, isFalse(error.reason, error.message));
      this.#unforeseen ??= error;
      const { reason, message } = errorFinding(error);
      return this.#add(type, isUnknown(reason, message));
    }
  }

  /** The result of all checks. */
  examination(authenticator: TokenAuthenticator | undefined): Examination {
    const unforeseen = this.#unforeseen;
    return {
      statements: this.#conclude(),
      ...(authenticator && { authenticator }),
      ...(unforeseen !== undefined && { unforeseen }),
    };
  }

  /** All conditions, with `Ready` as their sum. */
  #conclude(): readonly ConditionStatement[] {
    const isReady = this.#statements.every(({ status }) => status === "True");
    return [...this.#statements, { type: "Ready", ...(isReady ? ready : notReady) }];
  }

  #add(type: string, finding: Finding): undefined {
    this.#statements.push({ type, ...finding });
    return undefined;
  }
}

const ready = isTrue("Success", "the authenticator is ready");
const notReady = isFalse(
  "NotReady",
  "the authenticator is not ready: see other conditions for details",
);
const unableToValidate = isUnknown(
  "UnableToValidate",
  "unable to validate; see other conditions for details",
);

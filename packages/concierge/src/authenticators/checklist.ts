import { type ConditionStatement, type Finding, isFalse, isTrue, isUnknown } from "@rookery/kube";
import { errorFinding } from "@rookery/runtime";
import { CheckError } from "../errors.ts";
import type { TokenAuthenticator } from "./authenticator.ts";
import type { Examination } from "./registry.ts";

/** The result of a check that succeeded. */
export interface Checked<T> {
  readonly value: T;
  readonly message: string;
}

/** A check. Errors: a CheckError becomes a False condition, other errors an Unknown one. */
export type Check<T> = () => Checked<T> | Promise<Checked<T>>;

/** Checks that depend on one another. Each becomes a condition. */
export class Checklist {
  readonly #statements: ConditionStatement[] = [];
  /** The first error besides CheckErrors. */
  #unforeseen: unknown;

  /** Runs a check and returns its value. Without a check, because an earlier one failed, it is Unknown. */
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

  /** The result of all checks, with the condition Ready. */
  examination(authenticator: TokenAuthenticator | undefined): Examination {
    const unforeseen = this.#unforeseen;
    const isReady = this.#statements.every(({ status }) => status === "True");
    return {
      statements: [...this.#statements, { type: "Ready", ...(isReady ? ready : notReady) }],
      ...(authenticator && { authenticator }),
      ...(unforeseen !== undefined && { unforeseen }),
    };
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

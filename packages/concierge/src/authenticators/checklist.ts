import type { ConditionStatement } from "@rookery/kube";
import { errorFinding } from "@rookery/runtime";
import { CheckError } from "../errors.ts";
import type { TokenAuthenticator } from "./authenticator.ts";
import type { Examination } from "./registry.ts";

/** A condition, but for the generation that it was seen with. */
export type Finding = Pick<ConditionStatement, "type" | "status" | "reason" | "message">;

interface Checked<T> {
  readonly value: T;
  /** What the condition says when all is well. */
  readonly message: string;
}

/** Checks one thing. Errors: CheckError, which becomes the condition; of any other, its type does. */
export type Check<T> = () => Checked<T> | Promise<Checked<T>>;

/** Checks that build on one another, each of which becomes a condition. */
export class Checklist {
  readonly #findings: Finding[] = [];
  /** The first error that was no CheckError. */
  #unforeseen: unknown;

  /**
   * Makes a check and returns what it found. Without one, because what it needs was not found, the
   * condition says that it can't be told.
   */
  async check<T>(type: string, check: Check<T> | undefined): Promise<T | undefined> {
    if (check === undefined) return this.#add(type, "Unknown", unableToValidate);
    try {
      const { value, message } = await check();
      this.#add(type, "True", { reason: "Success", message });
      return value;
    } catch (error) {
      if (error instanceof CheckError) return this.#add(type, "False", error);
      this.#unforeseen ??= error;
      return this.#add(type, "Unknown", errorFinding(error));
    }
  }

  /** All that the checks came to. */
  examination(authenticator: TokenAuthenticator | undefined): Examination {
    const unforeseen = this.#unforeseen;
    return {
      findings: this.#conclude(),
      ...(authenticator && { authenticator }),
      ...(unforeseen !== undefined && { unforeseen }),
    };
  }

  /** All conditions, with `Ready` as their sum. */
  #conclude(): readonly Finding[] {
    const ready = this.#findings.every(({ status }) => status === "True");
    const sum: Finding = ready
      ? { type: "Ready", status: "True", reason: "Success", message: "the authenticator is ready" }
      : {
          type: "Ready",
          status: "False",
          reason: "NotReady",
          message: "the authenticator is not ready: see other conditions for details",
        };
    return [...this.#findings, sum];
  }

  #add(type: string, status: Finding["status"], why: Pick<Finding, "reason" | "message">) {
    this.#findings.push({ type, status, reason: why.reason, message: why.message });
    return undefined;
  }
}

const unableToValidate = {
  reason: "UnableToValidate",
  message: "unable to validate; see other conditions for details",
};

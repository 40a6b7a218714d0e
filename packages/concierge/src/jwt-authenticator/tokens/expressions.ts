import {
  compileExpression,
  compileValue,
  type Expression,
  type JSONValue,
  type ValueExpression,
  type VariableType,
} from "@rookery/schema";
import { TokenRefusedError } from "../../errors.ts";

/** The cost limits of one expression, and of all expressions for one token. */
const costOfOne = 1_000_000;
const costOfAll = 2_500_000;

/** The variables of Kubernetes' AuthenticationConfiguration, in which numbers are doubles. */
const claimVariables: Readonly<Record<string, VariableType>> = { claims: { map: "dyn" } };
const userVariables: Readonly<Record<string, VariableType>> = {
  user: {
    name: "kubernetes.UserInfo",
    fields: {
      username: "string",
      uid: "string",
      groups: { list: "string" },
      extra: { map: { list: "string" } },
    },
  },
};
const doubles = { numbers: "doubles" } as const;

export const compileClaims = (text: string) => compileValue(text, claimVariables, doubles);
export const compileClaimRule = (text: string) => compileExpression(text, claimVariables, doubles);
export const compileUserRule = (text: string) => compileExpression(text, userVariables);

export interface Named<E> {
  readonly text: string;
  readonly compiled: E;
  readonly message?: string | undefined;
}

type Variables = Readonly<Record<string, JSONValue>>;

/** The remaining cost budget of a token. */
export class Budget {
  #left = costOfAll;

  /** Errors: TokenRefusedError. */
  value({ text, compiled }: Named<ValueExpression>, variables: Variables): JSONValue {
    const { said, cost } = compiled.evaluate(variables, this.#limit);
    this.#spend(cost);
    if (said.error !== undefined) throw failed(text, said.error);
    return said.value;
  }

  /** Errors: TokenRefusedError if the expression is false or fails. */
  assert({ text, compiled, message }: Named<Expression>, variables: Variables): void {
    const { result, cost } = compiled.evaluate(variables, this.#limit);
    this.#spend(cost);
    if (typeof result === "string") throw failed(text, result);
    if (!result) {
      throw new TokenRefusedError(`validation expression '${text}' failed: ${message ?? ""}`);
    }
  }

  get #limit(): number {
    return Math.min(costOfOne, this.#left);
  }

  #spend(cost: number): void {
    this.#left -= cost;
    if (this.#left < 0) throw new TokenRefusedError("its rules run out of their cost budget");
  }
}

function failed(text: string, why: string): TokenRefusedError {
  return new TokenRefusedError(`expression '${text}' resulted in error: ${why}`);
}

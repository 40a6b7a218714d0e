import { percentOf } from "@rookery/kube";
import { nonNegative, portName, portNumber } from "./checks.ts";
import { validatePercent } from "./formats.ts";
import type { Rule } from "./rules.ts";

/** A number, or a text such as "25%". */
export type IntOrString = number | string;

type IntOrStringRule = Rule<IntOrString | undefined>;

/** Go: ValidatePositiveIntOrPercent. */
export const intOrPercent: IntOrStringRule = (value = 0, field) => {
  if (typeof value === "number") nonNegative(value, field);
  else field.invalidEach(value, validatePercent(value));
};

/** Go: IsNotMoreThan100Percent. Numbers pass. */
export const notMoreThanAll: IntOrStringRule = (value = 0, field) => {
  const percent = percentOf(value) ?? 0;
  if (percent > 100) field.invalid(value, "must not be greater than 100%");
};

/** Go: ValidatePortNumOrName. */
export const portNumberOrName: IntOrStringRule = (port = 0, field) => {
  if (typeof port === "number") portNumber(port, field);
  else portName(port, field);
};

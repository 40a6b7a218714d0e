export { ParseError, QuantityError } from "./errors.ts";
export { aggregateMessages, FieldError, type FieldErrorType, omitValue } from "./field/error.ts";
export { FieldPath, fieldPath } from "./field/path.ts";
export { parseQuantity } from "./quantity/parse.ts";
export { milliQuantityOf, Quantity, quantityOf } from "./quantity/quantity.ts";
export type { QuantityFormat } from "./quantity/suffix.ts";
export {
  type Duration,
  durationFromMilliseconds,
  durationToMilliseconds,
  formatDuration,
  parseDuration,
} from "./time/duration.ts";
export {
  type Clock,
  formatMicroTime,
  formatTime,
  type MicroTime,
  parseMicroTime,
  parseTime,
  type Time,
} from "./time/time.ts";

/**
 * How every package declares its errors: a class with a literal `code`, a message and typed fields
 * (`defineError`), the union of all classes of a module, so that the compiler proves a `switch` over
 * their codes complete (`ErrorsOf`, `errorGuard`), and the message of whatever was thrown
 * (`messageOf`).
 */
export { defineError, type ErrorDetails } from "./define-error.ts";
export { type ErrorsOf, errorGuard } from "./errors-of.ts";
export { messageOf } from "./message-of.ts";

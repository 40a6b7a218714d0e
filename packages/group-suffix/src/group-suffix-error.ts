import { type ErrorsOf, errorGuard } from "@rookery/errors";
import * as errors from "./errors.ts";

/** Every error of this package. */
export type GroupSuffixError = ErrorsOf<typeof errors>;

export const isGroupSuffixError = errorGuard(errors);

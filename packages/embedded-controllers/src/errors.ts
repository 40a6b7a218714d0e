import { defineError } from "@rookery/errors";

/** Whether an owner of a kind that is not served exists is unknown. */
export class UnservedKindError extends defineError(
  "UnservedKind",
  (apiVersion: string, kind: string) =>
    `could not look for an owner: ${kind} of ${apiVersion} is not served`,
) {}

import { defineError } from "@rookery/errors";

/** Why a container can't be started yet; it is tried again. */
export class NotYetError extends defineError("NotYet", (reason: string, message: string) => ({
  message,
  reason,
})) {}

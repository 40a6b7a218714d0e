import { defineError } from "@rookery/errors";

/** Why a text is not read, or a document has no value. */
export type YamlErrorCode =
  | "Malformed"
  | "TooLarge"
  | "TooDeep"
  | "TooManyTags"
  | "BadAlias"
  | "BadKey"
  | "BadMerge";

/** A text that is too large to read, or a document that has no plain value. */
export class YamlError extends defineError((code: YamlErrorCode, message: string) => ({
  code,
  message,
})) {}

import { defineError } from "@rookery/errors";

/** Why a text or a value is invalid. */
export type YamlErrorCode =
  | "Malformed"
  | "TooLarge"
  | "TooDeep"
  | "TooManyTags"
  | "BadAlias"
  | "BadKey"
  | "BadMerge";

export class YamlError extends defineError((code: YamlErrorCode, message: string) => ({
  code,
  message,
})) {}

/**
 * YAML that others wrote, in time in proportion to its size. All packages read by it; only what a
 * program wrote itself is written by the library directly.
 */
export { YamlError, type YamlErrorCode } from "./errors.ts";
export {
  parseYaml,
  parseYamlDocument,
  parseYamlDocuments,
  parseYamlValues,
  type YamlOptions,
} from "./parse-documents.ts";
export { plainValue } from "./plain-value.ts";

/**
 * Reads untrusted YAML in linear time. All packages use it to read; the library writes directly.
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

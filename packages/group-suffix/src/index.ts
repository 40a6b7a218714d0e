/**
 * Renames API groups, so that one app lives several times in one cluster: it speaks of its own
 * (virtual) groups, the cluster has them under another (real) name.
 *
 * In bodies the two names swap, in both directions: what is foreign stays foreign, and what is
 * written back is what was there. Only a request path that names a real group is refused.
 *
 * `items/` drops objects of some namespaces from what passes, by the same walks over bytes.
 */
export type { BodyRenamer, RenameStream, Target } from "./body-renamer.ts";
export {
  InvalidMappingError,
  InvalidRuleError,
  TruncatedBodyError,
  UnreadableBodyError,
} from "./errors.ts";
export type { Form } from "./forms/form.ts";
export { type GroupSuffixError, isGroupSuffixError } from "./group-suffix-error.ts";
export { type HideOptions, hideGroups } from "./interceptor/hide-groups.ts";
export { renameCallbacks } from "./interceptor/rename-callbacks.ts";
export { renameGroups } from "./interceptor/rename-groups.ts";
export { renamedBody } from "./interceptor/renamed-body.ts";
export type { RenameOptions } from "./interceptor/renaming.ts";
export {
  createItemFilter,
  type ItemFilter,
  type ItemFilterOptions,
  type KeepNamespace,
  type SealToken,
} from "./items/item-filter.ts";
export { createJsonRenamer, createJsonWatchRenamer } from "./json/json-renamer.ts";
export {
  defaultSuffix,
  type MappingFlags,
  mappingFromFlags,
  replace,
  unreplace,
} from "./mapping/flags.ts";
export { createGroupMapping, type GroupMapping, type SuffixPair } from "./mapping/group-mapping.ts";
export { renameObject } from "./object/object-walker.ts";
export { protobufTexts } from "./protobuf/envelope.ts";
export { createProtobufRenamer, createProtobufWatchRenamer } from "./protobuf/protobuf-renamer.ts";
export type { FieldRule, RenamerOptions } from "./rules/field-rule.ts";

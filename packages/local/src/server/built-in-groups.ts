import type { ServedGroup, ServedResource, ServedSubresource } from "@rookery/apiserver";
import { reviewGroups, tokenSubresource } from "../authentication/review-resources.ts";
import { builtInKinds } from "../kinds/built-in-kinds.ts";
import type { BuiltInKind } from "../kinds/kind.ts";
import { createBuiltInFieldManager } from "../managed-fields/built-in-field-manager.ts";
import { type RegistryContext, servedKind } from "../registry/served-kind.ts";
import { patchSchemaOf } from "../types/patch-schema.ts";
import { typedDecoder } from "../types/typed-decoder.ts";
import type { Access } from "./access.ts";
import type { Parts } from "./parts.ts";
import { groupsOf } from "./served-groups.ts";

/** The kinds that Kubernetes has compiled in, and its reviews, in the order of its discovery. */
export function builtInGroups(parts: Parts, access: Access): readonly ServedGroup[] {
  const { store, options } = parts;
  const { now, serviceCidr } = options;
  const context: RegistryContext = {
    ...{ store, now, patchSchemaOf },
    decoderOf: typedDecoder,
    fieldManagerOf: createBuiltInFieldManager,
  };
  const token = tokenSubresource({ store, tokens: access.tokens, now });
  const stored = builtInKinds({ store, now, serviceCidr }).map((kind) => ({
    group: kind.group,
    version: kind.version,
    resource: withToken(kind, servedKind(kind, context), token),
  }));
  return groupsOf(stored, reviewGroups({ store, now, ...access }));
}

function withToken(
  { group, kind }: BuiltInKind,
  resource: ServedResource,
  token: ServedSubresource,
): ServedResource {
  if (group !== "" || kind !== "ServiceAccount") return resource;
  return { ...resource, subresources: { ...resource.subresources, token } };
}

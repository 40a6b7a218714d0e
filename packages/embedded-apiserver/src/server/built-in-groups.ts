import type { ServedGroup, ServedResource, ServedSubresource } from "@rookery/apiserver";
import { builtInKinds } from "../kinds/built-in-kinds.ts";
import type { BuiltInKind } from "../kinds/declaration/kind.ts";
import { createBuiltInFieldManager } from "../managed-fields/built-in-field-manager.ts";
import { bindingsOf } from "../registry/pod-binding.ts";
import { type RegistryContext, servedKind } from "../registry/served-kind.ts";
import { reviewGroups, tokenSubresource } from "../reviews/review-resources.ts";
import { connectedSubresources } from "../streaming/connected-subresources.ts";
import type { StreamingContext } from "../streaming/target/streaming-context.ts";
import { patchSchemaOf } from "../types/patch-schema.ts";
import { typedDecoder } from "../types/typed-decoder.ts";
import type { Access } from "./access.ts";
import type { Parts } from "./parts.ts";
import { groupsOf } from "./served-groups.ts";

type KindOptions = Parameters<typeof builtInKinds>[0];

export interface ServedKind {
  readonly kind: BuiltInKind;
  readonly resource: ServedResource;
}

/** The kinds that Kubernetes has compiled in, served from a store. */
export function servedBuiltInKinds(options: KindOptions): readonly ServedKind[] {
  const { store, now } = options;
  const context: RegistryContext = {
    ...{ store, now, patchSchemaOf },
    decoderOf: typedDecoder,
    fieldManagerOf: createBuiltInFieldManager,
  };
  return builtInKinds(options).map((kind) => ({ kind, resource: servedKind(kind, context) }));
}

/** These kinds, with the verbs that lead to nodes, and the reviews, in the order of Kubernetes' discovery. */
export function builtInGroups(
  parts: Parts,
  access: Access,
  streaming: Pick<StreamingContext, "podStreams" | "clients">,
): readonly ServedGroup[] {
  const { store, now, serviceCidr, podCidr, onError } = parts.options;
  const token = tokenSubresource({ store, tokens: access.tokens, now });
  const connected = connectedSubresources({ store, onError, ...streaming });
  const kinds = servedBuiltInKinds({ store, now, serviceCidr, ...(podCidr && { podCidr }) });
  const stored = kinds.map(({ kind, resource }) => ({
    group: kind.group,
    version: kind.version,
    resource: connected(kind, withToken(kind, resource, token)),
  }));
  const pods = stored.find(({ group, resource }) => group === "" && resource.kind === "Pod");
  const bindings = pods ? [{ ...pods, resource: bindingsOf(pods.resource) }] : [];
  return groupsOf([...stored, ...bindings], reviewGroups({ store, now, ...access }));
}

function withToken(
  { group, kind }: BuiltInKind,
  resource: ServedResource,
  token: ServedSubresource,
): ServedResource {
  if (group !== "" || kind !== "ServiceAccount") return resource;
  return { ...resource, subresources: { ...resource.subresources, token } };
}

import type { ServedGroup, ServedResource, ServedSubresource } from "@rookery/apiserver";
import { builtInKinds } from "../kinds/built-in-kinds.ts";
import type { BuiltInKind } from "../kinds/declaration/kind.ts";
import { createBuiltInFieldManager } from "../managed-fields/built-in-field-manager.ts";
import { bindingsOf } from "../registry/pod-binding.ts";
import { type RegistryContext, servedKind } from "../registry/served-kind.ts";
import { reviewGroups, tokenSubresource } from "../reviews/review-resources.ts";
import { connectedSubresources } from "../streaming/connected-subresources.ts";
import type { StreamingContext } from "../streaming/target/pod-target.ts";
import { patchSchemaOf } from "../types/patch-schema.ts";
import { typedDecoder } from "../types/typed-decoder.ts";
import type { Access } from "./access.ts";
import type { Parts } from "./api-server-options.ts";

type KindOptions = Parameters<typeof builtInKinds>[0];

export interface ServedKind {
  readonly kind: BuiltInKind;
  readonly resource: ServedResource;
}

export function servedBuiltInKinds(options: KindOptions): readonly ServedKind[] {
  const { store, now } = options;
  const context: RegistryContext = {
    store,
    now,
    patchSchemaOf,
    decoderOf: typedDecoder,
    fieldManagerOf: createBuiltInFieldManager,
  };
  return builtInKinds(options).map((kind) => ({ kind, resource: servedKind(kind, context) }));
}

/** The built-in groups, in the order of kube-apiserver's discovery. */
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

interface PlacedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: ServedResource;
}

/** The order of groups in kube-apiserver's discovery. */
const order = [
  "",
  "apiregistration.k8s.io",
  "apps",
  "events.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "certificates.k8s.io",
  "networking.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "storage.k8s.io",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "scheduling.k8s.io",
  "coordination.k8s.io",
  "discovery.k8s.io",
];

/**
 * Groups resources by group and version. Resources of a version are sorted by name, as in
 * discovery.
 */
export function groupsOf(
  placed: readonly PlacedResource[],
  others: readonly ServedGroup[] = [],
): readonly ServedGroup[] {
  const byGroup = Map.groupBy(placed, ({ group }) => group);
  const groups = [...byGroup].map(([name, members]) => ({ name, versions: versionsOf(members) }));
  return [...groups, ...others].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}

function versionsOf(members: readonly PlacedResource[]) {
  const byVersion = Map.groupBy(members, ({ version }) => version);
  return [...byVersion].map(([name, items]) => ({
    name,
    resources: items.map(({ resource }) => resource).sort((a, b) => (a.plural < b.plural ? -1 : 1)),
  }));
}

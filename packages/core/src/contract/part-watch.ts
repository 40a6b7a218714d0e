import { type KubeObject, objectKeyOf, type Resource } from "@rookery/kube";
import {
  type Controller,
  type ControllerParts,
  createInformerSource,
  enqueueRequestsFromMapFunction,
  type Request,
} from "@rookery/runtime";
import type { ContractReference } from "./externals.ts";

export interface PartWatchOptions<T extends KubeObject> {
  /** The resource of the objects that have parts. */
  readonly owner: Resource;
  readonly referencesOf: (object: T) => readonly (ContractReference | undefined)[];
}

/** Lets a controller watch the resource of a part, the first time that it is called with it. */
export type WatchPart = (controller: Controller, resource: Resource) => void;

const byPart = "parts";

/**
 * An event of a part requests its owners, and the objects that name it: they may name it before they own it. The
 * resources of parts are only known once an object names one.
 */
export function createPartWatch<T extends KubeObject>(
  { cache, logger }: Pick<ControllerParts, "cache" | "logger">,
  { owner, referencesOf }: PartWatchOptions<T>,
): WatchPart {
  const owners = cache.informerFor<T>(owner);
  owners.addIndex(byPart, (object) =>
    referencesOf(object).flatMap((reference) => (reference ? [partKey(reference)] : [])),
  );
  const requestsOf = (kind: string) =>
    enqueueRequestsFromMapFunction(({ metadata }: Pick<KubeObject, "metadata">) => {
      const { name = "", namespace } = metadata;
      const index = { name: byPart, value: partKey({ kind, name }) };
      const users = owners.list({ index, ...(namespace && { namespace }) });
      return [...ownersOf(metadata, owner), ...users.map(objectKeyOf)];
    });
  const watched = new Set<string>();
  return (controller, resource) => {
    const { plural, version, group, kind } = resource;
    const key = `${plural}.${version}.${group}`;
    if (watched.has(key)) return;
    watched.add(key);
    const informer = cache.informerFor<KubeObject>(resource);
    const source = createInformerSource({ informer, handler: requestsOf(kind) });
    // Not awaited: a kind that may not be watched must not hold up the others.
    controller.watch(source).catch((error: unknown) => {
      logger.error(error, "Could not watch a provider's kind", { kind });
    });
  };
}

function partKey({ kind, name }: Pick<ContractReference, "kind" | "name">): string {
  return `${kind}/${name}`;
}

function ownersOf(
  { ownerReferences = [], namespace }: KubeObject["metadata"],
  { group, kind }: Resource,
): Request[] {
  return ownerReferences
    .filter((owner) => owner.kind === kind && owner.apiVersion.startsWith(`${group}/`))
    .map(({ name }) => ({ name, ...(namespace && { namespace }) }));
}

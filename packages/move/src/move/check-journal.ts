import type { Client } from "@rookery/client";
import { formatGroupKind, formatObjectKey, type ObjectKey, type Resource } from "@rookery/kube";
import { MoveError } from "../errors.ts";
import type { MoveJournal } from "../journal/journal-state.ts";
import { identityOf } from "../names.ts";
import { planReader } from "../read/read-plan.ts";
import { readMovedTypes } from "../read/read-source.ts";
import { requireReachable } from "./check-move.ts";
import { entryIdentity } from "./plan-entries.ts";

interface Named {
  readonly resource: Resource;
  readonly key: ObjectKey;
}

/**
 * Tenants may write the Secret of a journal at the source, and a move has the rights of an administrator.
 * So a journal may only have objects of moved kinds: those of its namespace, and those that a move would
 * copy, including identities whose clusters are gone. Throws MoveError for any other.
 */
export async function checkJournalContent(
  source: Client,
  { state, name }: MoveJournal,
  namespace: string,
): Promise<void> {
  const [types, plan] = await requireReachable("source", () =>
    Promise.all([readMovedTypes(source), planReader(source, { namespace, everyIdentity: true })()]),
  );
  const kinds = new Set(types.map(({ resource }) => shapeOf(resource)));
  const copied = new Set(plan.objects.map((one) => identityOf(one.resource, one.object)));
  const isOwn = ({ resource, key }: Named) =>
    kinds.has(shapeOf(resource)) && resource.namespaced && key.namespace === namespace;
  const isCopied = (one: Named) =>
    kinds.has(shapeOf(one.resource)) && copied.has(entryIdentity(one));
  const foreign = [
    ...state.before.filter((one) => !isOwn({ ...one, key: keyOf(one.object.metadata) })),
    ...state.paused.filter((one) => !isOwn(one) && !isCopied(one)),
    ...state.entries.filter((one) => !isOwn(one) && !(isCopied(one) && one.stays !== undefined)),
  ];
  const [first] = foreign;
  if (!first) return;
  const key = "key" in first ? first.key : keyOf(first.object.metadata);
  throw new MoveError(
    "Refused",
    `could not go on with the move of ${name}: it names ${first.resource.kind} ${formatObjectKey(key)}, which is ` +
      `no part of a move of namespace ${namespace}; look who wrote it, and delete it to begin anew`,
  );
}

const keyOf = ({ name = "", namespace }: { name?: string; namespace?: string }): ObjectKey => ({
  name,
  ...(namespace !== undefined && { namespace }),
});

/** The parts of a resource that determine requests, without the version. */
function shapeOf(resource: Resource): string {
  return `${formatGroupKind(resource)} ${resource.plural} ${resource.namespaced}`;
}

import type { GroupVersionKind } from "@rookery/kube";
import { type Message, message, of } from "./message.ts";
import { access } from "./messages/access.ts";
import type { KindTable } from "./messages/kind-table.ts";
import { machinery, optionKinds } from "./messages/machinery.ts";
import { objectMeta } from "./messages/metadata.ts";
import { references } from "./messages/references.ts";
import { registration } from "./messages/registration.ts";
import { workloads } from "./messages/workloads.ts";

const messages = new Map<string, Message>();
for (const table of [access, machinery, references, registration, workloads]) addTable(table);

function addTable(table: KindTable): void {
  for (const [group, kinds] of Object.entries(table)) {
    for (const [kind, fields] of Object.entries(kinds)) {
      messages.set(`${group}/${kind}`, message({ 1: of(objectMeta), ...fields }));
    }
  }
}

/** Any object: its metadata is where it always is. */
export const object = message({ 1: of(objectMeta) });
const nothing: Message = [];

/**
 * What is renamed in objects of a kind, or in what is no object; undefined for a list of objects.
 * Kinds that are not known are objects.
 */
export function messageOfKind({ group, version, kind }: GroupVersionKind): Message | undefined {
  if (optionKinds.has(kind)) return nothing;
  const known = messages.get(`${group}/${version} ${kind}`) ?? messages.get(`${group}/${kind}`);
  if (known !== undefined) return known;
  return kind.endsWith("List") ? undefined : object;
}

import type { StoreEntry } from "@rookery/kube";
import { StaleError } from "../errors.ts";
import { decideDeletion } from "../registry/deletion.ts";
import { writableForm } from "../registry/stored-form.ts";
import { type Crd, storageVersionOf } from "./crd.ts";
import { type CustomResourceContext, storageOptions } from "./custom-resource.ts";

/** The storage resource of a custom kind. */
export function instancesOf({ spec }: Crd): string {
  return `${spec?.names?.plural ?? ""}.${spec?.group ?? ""}`;
}

/** Deletes all objects of a kind without admission; objects with finalizers are marked. */
export async function deleteInstances(crd: Crd, context: CustomResourceContext): Promise<void> {
  const { entries } = context.store.list(instancesOf(crd));
  for (const entry of entries) await deleteInstance(entry, crd, context);
}

async function deleteInstance(
  given: StoreEntry,
  crd: Crd,
  context: CustomResourceContext,
): Promise<void> {
  const { store, now } = context;
  const { rules } = storageOptions(crd, storageVersionOf(crd), context);
  const { resource, namespace, name } = given;
  for (let entry: StoreEntry | undefined = given; entry; ) {
    const { object, revision } = entry;
    const decision = decideDeletion(object, { dryRun: [] }, { rules, now: now() });
    if (decision.kind === "pending") return;
    const isMarked = object.metadata.deletionTimestamp !== undefined;
    if (decision.kind === "mark" && isMarked) return;
    const marked = decision.kind === "mark" ? writableForm(decision.object) : undefined;
    try {
      await store.write({ resource, namespace, name, expected: revision, object: marked });
      return;
    } catch (error) {
      if (!(error instanceof StaleError)) throw error;
      entry = store.get({ resource, namespace, name });
    }
  }
}

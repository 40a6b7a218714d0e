import type { KubeObject, ManagedFieldsEntry } from "@rookery/kube";

/** Objects as they are wherever they are: without what an API server gives each, and with owners by name. */
export function normalized(
  objects: Readonly<Record<string, KubeObject>>,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(objects).map(([name, { metadata, ...rest }]) => {
    const { labels, annotations, finalizers, ownerReferences, managedFields } = metadata;
    const owners = (ownerReferences ?? [])
      .map(({ uid: _, ...owner }) => owner)
      .sort((a, b) => `${a.kind}${a.name}`.localeCompare(`${b.kind}${b.name}`));
    const fields = managersOf(managedFields ?? []);
    return [name, { ...rest, labels, annotations, finalizers, owners, fields }] as const;
  });
  return Object.fromEntries(entries.sort(([a], [b]) => a.localeCompare(b)));
}

/** Who manages which fields: not since when, nor the status, which nobody moves. */
function managersOf(entries: readonly ManagedFieldsEntry[]): readonly unknown[] {
  return entries
    .filter(({ subresource }) => subresource === undefined)
    .map(({ manager, operation, fieldsV1 }) => {
      const fields = JSON.stringify(fieldsV1).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "uid");
      return { manager, operation, fields };
    });
}

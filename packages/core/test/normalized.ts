import type { KubeObject } from "@rookery/kube";

const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** Fields that say when, or which of many, and the words of the contract before this one. */
const dropped = new Set([
  "creationTimestamp",
  "deprecated",
  "managedFields",
  "resourceVersion",
  "test/nudge",
]);

/** Objects without what differs from one Kubernetes to another. */
export function normalized(objects: readonly KubeObject[]): KubeObject[] {
  const names = new Map(
    objects.map(({ kind, metadata }) => [metadata.uid, `<uid of ${kind} ${metadata.name}>`]),
  );
  const text = (value: string) => names.get(value) ?? value.replaceAll(time, "<time>");
  return objects.map((object) => {
    const { data, ...rest } = object as KubeObject & { readonly data?: object };
    // What is issued is another one each time.
    const shape = object.kind === "Secret" && data ? { data: Object.keys(data) } : data && { data };
    return changed({ ...rest, ...shape }, text) as KubeObject;
  });
}

function changed(value: unknown, text: (value: string) => string): unknown {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((item) => changed(item, text));
  if (value === null || typeof value !== "object") return value;
  const isKept = ([name, item]: [string, unknown]) =>
    !dropped.has(name) && !(name === "annotations" && isOnlyNudge(item));
  const entries = Object.entries(value).filter(isKept);
  return Object.fromEntries(entries.map(([name, item]) => [name, changed(item, text)]));
}

/** Both are touched by the test, each when it has to be. */
function isOnlyNudge(annotations: unknown): boolean {
  return Object.keys(annotations ?? {}).every((name) => name === "test/nudge");
}

import type { Anything } from "./world.ts";

/** Objects as they are compared: without what no two clusters have in common, in a fixed order. */
export function normalize(
  { events, ...objects }: Record<string, Anything[]>,
  replace: (text: string) => string,
): Record<string, unknown> {
  const normal: Record<string, unknown> = {};
  for (const [plural, each] of Object.entries(objects)) {
    if (each.length > 0) normal[plural] = inOrder(each.map(plain), replace);
  }
  return {
    ...normal,
    events: [...new Set(inOrder((events ?? []).filter(isOfWorkloads).map(told), replace))],
  };
}

function inOrder(objects: readonly unknown[], replace: (text: string) => string): unknown[] {
  return objects
    .map((object) => replace(JSON.stringify(object)))
    .toSorted()
    .map((text) => JSON.parse(text));
}

/** What becomes of claims is compared in scenes of their own. */
function isOfWorkloads({ involvedObject, reason, message }: Anything): boolean {
  if (involvedObject.kind === "PersistentVolumeClaim") return false;
  // Controllers that read from caches may do once more what they have done, and say so.
  const isTwice = /not found$|already exists$/.test(message);
  return !(isTwice && ["FailedDelete", "FailedCreate"].includes(reason));
}

/** What an event says, however often and in whichever form. */
function told({ type, reason, message, involvedObject, source, reportingComponent }: Anything) {
  const by = source?.component || reportingComponent;
  const said = message
    // How many of a kind there were, and by which steps a size was reached, is a matter of time.
    .replace("(combined from similar events): ", "")
    .replace(/from \d+ to \d+$/, "from {n} to {n}");
  return `${by} ${involvedObject.kind}/${involvedObject.name} ${type} ${reason}: ${said}`;
}

function plain({ metadata, ...object }: Anything): unknown {
  const { uid, resourceVersion, creationTimestamp, generation, managedFields, ...more } = metadata;
  const { finalizers, ...rest } = more;
  // Whether claims are protected is not what this is about.
  const kept = finalizers?.filter((each: string) => each !== "kubernetes.io/pvc-protection");
  const { observedGeneration, ...status } = object.status ?? {};
  const isObserved =
    observedGeneration === undefined ? undefined : observedGeneration === generation;
  const writers: string[] = (managedFields ?? [])
    .map(({ manager, operation, subresource = "" }: Anything) => {
      return `${manager} ${operation} ${subresource}`.trim();
    })
    .filter((text: string) => text.startsWith("kube-controller-manager"));
  const managers = [...new Set(writers)].toSorted();
  return sorted({
    ...object,
    metadata: { ...rest, ...(kept?.length > 0 && { finalizers: kept }), managers },
    ...(object.status && {
      status: { ...status, isObserved, conditions: byType(status.conditions) },
    }),
  });
}

/** Conditions have no order. */
function byType(conditions: Anything[] | undefined): Anything[] | undefined {
  return conditions?.toSorted((a, b) => (a.type < b.type ? -1 : 1));
}

function sorted(value: Anything): Anything {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

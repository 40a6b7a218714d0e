import assert from "node:assert/strict";
import { formatObjectKey, type KubeObject, objectKeyOf } from "@rookery/kube";
import type { ObjectEvent } from "@rookery/runtime";

/** Keeps what a handler hears, and fails where that makes no sense. */
export class RecordedEvents<T extends KubeObject> {
  readonly events: ObjectEvent<T>[] = [];
  readonly known = new Map<string, T>();
  readonly problems: string[] = [];

  readonly handle = (event: ObjectEvent<T>): void => {
    this.events.push(event);
    const object = event.type === "update" ? event.objectNew : event.object;
    const key = formatObjectKey(objectKeyOf(object));
    const heard = this.known.get(key);
    if ((event.type === "create") !== (heard === undefined)) {
      this.problems.push(`${event.type} of ${key}, which is ${heard ? "known" : "unknown"}`);
    }
    if (event.type === "update" && event.objectOld !== heard) {
      this.problems.push(`update of ${key} from what was not heard`);
    }
    if (event.type === "delete") this.known.delete(key);
    else this.known.set(key, object);
  };

  /** What it heard leads to these objects, in these versions. */
  assertLeadsTo(objects: readonly T[]): void {
    assert.deepEqual(this.problems, []);
    assert.deepEqual(versions([...this.known.values()]), versions(objects));
  }
}

/** "namespace/name@resourceVersion" of each, in order. */
export function versions(objects: readonly KubeObject[]): string[] {
  return objects
    .map((object) => `${formatObjectKey(objectKeyOf(object))}@${object.metadata.resourceVersion}`)
    .toSorted();
}

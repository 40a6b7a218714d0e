import assert from "node:assert/strict";
import { formatObjectKey, type KubeObject, objectKeyOf } from "@rookery/kube";
import type { ObjectEvent } from "../../src/cache/replica.ts";
import { objectOf } from "../../src/controller/event.ts";

/**
 * A handler for tests that keeps what it hears and fails at once where that makes no sense: an update
 * of what it does not know, or not from what it heard last; a deletion of what is not there; an older
 * state after a newer one; the same state twice, but for a resync.
 */
export class RecordingHandler {
  readonly events: ObjectEvent<KubeObject>[] = [];
  readonly known = new Map<string, KubeObject>();

  /** "create a@2", in order. */
  get history(): string[] {
    return this.events.map((event) => {
      const { name, resourceVersion } = objectOf(event).metadata;
      return `${event.type} ${name}@${resourceVersion}`;
    });
  }

  readonly handle = (event: ObjectEvent<KubeObject>): void => {
    this.events.push(event);
    const object = objectOf(event);
    const key = formatObjectKey(objectKeyOf(object));
    const heard = this.known.get(key);
    switch (event.type) {
      case "create":
        assert.equal(heard, undefined, `${key} was created twice`);
        break;
      case "update":
        assert.equal(event.objectOld, heard, `${key} changed from what nobody heard of`);
        assert.equal(event.objectOld.metadata.uid, object.metadata.uid);
        if (event.objectOld !== object) assertNewer(object, event.objectOld);
        break;
      case "delete":
        assert.equal(heard?.metadata.uid, object.metadata.uid, `${key} was deleted unknown`);
    }
    if (event.type === "delete") this.known.delete(key);
    else this.known.set(key, object);
  };
}

function assertNewer(object: KubeObject, than: KubeObject): void {
  const [version, before] = [object, than].map(({ metadata }) => Number(metadata.resourceVersion));
  assert.ok(
    Number(version) > Number(before),
    `${object.metadata.name} went from ${before} to ${version}`,
  );
}

import type { StoreKey } from "@rookery/kube";

export interface ModelWrite extends StoreKey {
  readonly revision: number;
  /** Undefined where it deletes. */
  readonly data: string | undefined;
}

/** What a store is, told as simply as can be: all writes that ever were. */
export class StoreModel {
  readonly writes: ModelWrite[] = [];
  compacted = 1;

  get revision(): number {
    return 1 + this.writes.length;
  }

  /** The revision of what is there; 0 where nothing is. */
  currentRevision(key: StoreKey): number {
    const last = this.writes.findLast((write) => pathOf(write) === pathOf(key));
    return last?.data === undefined ? 0 : last.revision;
  }

  write(key: StoreKey, data: string | undefined): number {
    const { resource, namespace, name } = key;
    this.writes.push({ resource, namespace, name, data, revision: this.revision + 1 });
    return this.revision;
  }

  list(resource: string, revision: number, namespace?: string): ModelWrite[] {
    const found = new Map<string, ModelWrite>();
    for (const write of this.writes) {
      if (write.revision > revision || write.resource !== resource) continue;
      if (namespace === undefined || write.namespace === namespace) found.set(pathOf(write), write);
    }
    return [...found.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, write]) => write)
      .filter(({ data }) => data !== undefined);
  }

  after(revision: number, resource: string): ModelWrite[] {
    return this.writes.filter(
      (write) => write.revision > revision && (resource === "*" || write.resource === resource),
    );
  }
}

function pathOf({ resource, namespace, name }: StoreKey): string {
  return `${resource}/${namespace}/${name}`;
}

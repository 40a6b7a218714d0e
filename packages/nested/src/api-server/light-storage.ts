import type { NestedAPIServer } from "@rookery/api";

export type LightStorage = NonNullable<NestedAPIServer["spec"]["storage"]>;

const usual: LightStorage = { type: "PersistentVolumeClaim", size: "1Gi" };

/** Where an API server of the profile light keeps its data. */
export function lightStorageOf({ storage = usual }: NestedAPIServer["spec"]): LightStorage {
  return storage;
}

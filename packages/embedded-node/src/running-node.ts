/** The exports that `loadNode` loads. */
export { createServiceRelay } from "./services/service-relay.ts";
export { startNode } from "./start-node.ts";
export { FolderVolumes, standardStorageClass } from "./volumes/folder-volumes.ts";

/** The size of a virtual machine whose spec has none, as in the upstream provider. */
export const defaultSize = { numCPUs: 2, memoryMiB: 2048 };

/** What existing users are used to get where they say nothing. */
export const defaultSize = { numCPUs: 2, memoryMiB: 2048 };

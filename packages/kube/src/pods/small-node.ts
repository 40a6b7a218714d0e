/**
 * The environment of a container with little memory: a small young generation, garbage collection
 * before the limit of 512 MiB, one malloc arena, and freed memory returned to the system.
 */
export const smallNodeEnvironment = {
  NODE_OPTIONS: "--max-semi-space-size=2 --max-old-space-size=384 --expose-gc",
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "65536",
  MALLOC_TRIM_THRESHOLD_: "65536",
} as const;

/**
 * The environment of a container in which Node is to stay small: little room for young objects, which
 * die soon in a controller, the old ones collected before the limit of 512 MiB is reached, or when a
 * program says that it has started, no arena of malloc for each thread, and what is freed given back.
 */
export const smallNodeEnvironment = {
  NODE_OPTIONS: "--max-semi-space-size=2 --max-old-space-size=384 --expose-gc",
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "65536",
  MALLOC_TRIM_THRESHOLD_: "65536",
} as const;

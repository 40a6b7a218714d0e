/**
 * The environment of a container in which Node is to stay small: little room for young objects, which
 * die soon in a controller, the old ones collected before the limit of 512 MiB is reached, and no
 * arena of malloc for each thread.
 */
export const smallNodeEnvironment = {
  NODE_OPTIONS: "--max-semi-space-size=2 --max-old-space-size=384",
  MALLOC_ARENA_MAX: "2",
} as const;

/**
 * The environment of Kubernetes' programs: no proxy is between them, whatever the machine has set, and
 * their garbage is collected rarely, which saves a quarter of an API server's CPU time in a test.
 */
export function componentEnvironment(): NodeJS.ProcessEnv {
  const { GOGC = "400", GOMEMLIMIT = "1GiB" } = process.env;
  return { ...process.env, NO_PROXY: "*", no_proxy: "*", GOGC, GOMEMLIMIT };
}

/** The environment of Kubernetes' programs: no proxy is between them, whatever the machine has set. */
export function componentEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, NO_PROXY: "*", no_proxy: "*" };
}

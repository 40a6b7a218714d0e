import { chosenFlavour } from "./share.ts";

/**
 * Why a test does not run on the embedded Kubernetes, for its `skip`: what that one does not do, by
 * intent. False where the run has a real one. docs/embedded.md lists all of them.
 */
export async function notOnEmbedded(
  why: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | false> {
  const flavour = await chosenFlavour(env);
  return flavour === "embedded" ? `NOT RUN on the embedded Kubernetes: ${why}` : false;
}

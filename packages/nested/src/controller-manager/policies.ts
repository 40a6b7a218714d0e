import type { ControlPlaneOf } from "../component/control-plane-of.ts";
import { type Siblings, whyUnsettled } from "../component/siblings.ts";
import { changeProblem, controllerManagerProblem } from "../component/skew.ts";
import { ComponentError } from "../errors.ts";

/**
 * Why a controller manager may not go to a version yet, after another one: the API server goes
 * first, and it may be neither newer than that nor older by more than one minor.
 */
export function controllerManagerGate(
  to: string,
  from: string | undefined,
  { apiServer, home }: Pick<Siblings, "apiServer"> & { readonly home: ControlPlaneOf },
): ComponentError | undefined {
  const waiting = (why: string) => new ComponentError("WaitingForAPIServer", why);
  if (!apiServer) {
    const isThere = Boolean(home.controlPlane.spec.controlPlaneEndpoint?.host);
    return isThere ? undefined : waiting("nobody knows the API server's endpoint yet");
  }
  const unsettled = whyUnsettled("apiserver", apiServer);
  if (unsettled) return waiting(unsettled);
  const problem =
    (from === undefined ? undefined : changeProblem(from, to)) ??
    controllerManagerProblem(to, apiServer.status?.version ?? to);
  return problem ? new ComponentError("VersionSkew", problem) : undefined;
}

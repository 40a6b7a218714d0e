import type { Home } from "../component/home.ts";
import { type Siblings, wantedVersion, whyUnsettled } from "../component/home.ts";
import { changeProblem, controllerManagerProblem } from "../component/skew.ts";
import { ComponentError } from "../errors.ts";

/**
 * Why a controller manager may not get a version yet: the API server is upgraded first, and may be at most one
 * minor newer. A new controller manager starts once a new API server answers.
 */
export function controllerManagerGate(
  to: string,
  from: string | undefined,
  { apiServer, home }: Pick<Siblings, "apiServer"> & { readonly home: Home },
): ComponentError | undefined {
  const waiting = (why: string) => new ComponentError("WaitingForAPIServer", why);
  if (!apiServer) {
    const isThere = Boolean(home.controlPlane.spec.controlPlaneEndpoint?.host);
    return isThere ? undefined : waiting("nobody knows the API server's endpoint yet");
  }
  const runs = apiServer.status?.version;
  const areNew = from === undefined && runs === undefined && apiServer.status?.ready;
  const beside = areNew ? wantedVersion("apiserver", apiServer) : runs;
  const unsettled = whyUnsettled("apiserver", apiServer);
  if (unsettled && !(areNew && beside)) return waiting(unsettled);
  const problem =
    (from === undefined ? undefined : changeProblem(from, to)) ??
    controllerManagerProblem(to, beside ?? to);
  return problem ? new ComponentError("VersionSkew", problem) : undefined;
}

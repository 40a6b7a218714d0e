import type { Parent } from "../component/parent.ts";
import { type Siblings, wantedVersion, whyUnsettled } from "../component/parent.ts";
import { changeProblem, controllerManagerProblem } from "../component/skew.ts";
import { ComponentError } from "../errors.ts";

/**
 * Why a controller manager may not get a version yet: the API server is upgraded first, and may be at most one
 * minor newer. A new controller manager starts once a new API server answers.
 */
export function controllerManagerGate(
  to: string,
  from: string | undefined,
  { apiServer, parent }: Pick<Siblings, "apiServer"> & { readonly parent: Parent },
): ComponentError | undefined {
  const waiting = (why: string) => new ComponentError("WaitingForAPIServer", why);
  if (!apiServer) {
    const isThere = Boolean(parent.controlPlane.spec.controlPlaneEndpoint?.host);
    return isThere ? undefined : waiting("the endpoint of the API server is not known yet");
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

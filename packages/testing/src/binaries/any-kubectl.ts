import { UnavailableError } from "../errors.ts";
import { type BinaryOptions, ensureBinaries } from "./binaries.ts";

/** The embedded Kubernetes needs nothing but Node: where kubectl can't be made, PATH may have one. */
export async function anyKubectl(options: BinaryOptions): Promise<string> {
  try {
    return (await ensureBinaries(["kubectl"], options)).kubectl;
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return "kubectl";
  }
}

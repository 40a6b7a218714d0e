import { join } from "node:path";

/** The folder of a Go program that plays a vCenter, for trying and for tests; not in every installation. */
export const simulatorSource = join(import.meta.dirname, "..", "vcsim");

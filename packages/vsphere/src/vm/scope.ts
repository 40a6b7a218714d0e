import type { VSphereCluster, VSphereVM } from "@rookery/api";
import type { Clock } from "@rookery/kube";
import type { Request } from "@rookery/runtime";
import type { IdentitySources } from "../credentials/resolve-identity.ts";
import type { FailureLog } from "../sessions/failure-log.ts";
import type { ScopedSessions } from "../sessions/session-manager.ts";
import type { ChangeWatch } from "./change-watch.ts";

/** What one reconcile of a VSphereVM needs of the world. */
export interface VmDependencies {
  readonly getVm: (key: Request) => Promise<VSphereVM | undefined>;
  readonly commit: (original: VSphereVM, desired: VSphereVM) => Promise<VSphereVM>;
  /** The VSphereCluster of the cluster that the machine belongs to. */
  readonly getCluster: (vm: VSphereVM) => Promise<VSphereCluster | undefined>;
  readonly isPaused: (vm: VSphereVM) => Promise<boolean>;
  /** What the machine starts with; undefined where it is not there yet. */
  readonly getBootstrapData: (vm: VSphereVM) => Promise<Uint8Array | undefined>;
  readonly identitySources: IdentitySources;
  readonly sessions: ScopedSessions;
  readonly failures: Pick<FailureLog, "failed" | "forget">;
  readonly changes: Pick<ChangeWatch, "await">;
  /** Whether a machine that nothing shows to be the namespace's is taken as its own all the same. */
  readonly adoptsAny: boolean;
  /** The uids of objects on whose machines the namespace was written by this process. */
  readonly marked: Set<string>;
  readonly ca: string | undefined;
  readonly clock: Clock;
}

import type { Cluster } from "@rookery/api";
import type { EventRecorder } from "@rookery/runtime";

/** Tells people what has happened to a Cluster for the first time. */
export function tellOfChanges(before: Cluster, after: Cluster, recorder: EventRecorder): void {
  const { name } = after.metadata;
  const tell = (reason: string, note: string) =>
    recorder.event(after, { type: "Normal", reason, note });
  const [was, is] = [before.status?.initialization, after.status?.initialization];
  if (!was?.infrastructureProvisioned && is?.infrastructureProvisioned) {
    tell("InfrastructureReady", `Cluster ${name} InfrastructureProvisioned is now True`);
  }
  if (!was?.controlPlaneInitialized && is?.controlPlaneInitialized) {
    tell("ControlPlaneInitialized", `Cluster ${name} ControlPlaneInitialized is now True`);
  }
  const phase = after.status?.phase;
  if (phase && phase !== before.status?.phase) tell(phase, `Cluster ${name} is ${phase}`);
}

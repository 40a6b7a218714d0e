import type { Container, ContainerStatus, PodSpec, PodStatus } from "@rookery/api";
import type { BoundPod } from "../src/pod/pod.ts";

/** A pod of one container, as tests of a node begin with it. */
export function podOf(spec: PodSpec = {}, status?: PodStatus): BoundPod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "web-0",
      namespace: "team",
      uid: "uid-1",
      generation: 1,
      labels: { app: "web", tier: 'front"end' },
      annotations: { note: "a\nb" },
    },
    spec: { nodeName: "n1", containers: [containerOf("main")], ...spec },
    ...(status && { status }),
  };
}

export function containerOf(name: string, rest: Container = {}): Container {
  return { name, image: "sh", ...rest };
}

export function runningStatus(name: string, rest: ContainerStatus = {}): ContainerStatus {
  const state = { running: { startedAt: "2026-01-01T00:00:00Z" } };
  return { name, state, lastState: {}, ready: true, started: true, restartCount: 0, ...rest };
}

export function waiting(name: string, reason: string, rest: ContainerStatus = {}): ContainerStatus {
  const state = { waiting: { reason } };
  return { name, state, lastState: {}, ready: false, started: false, restartCount: 0, ...rest };
}

export function terminated(name: string, exitCode: number): ContainerStatus {
  const state = { terminated: { exitCode, reason: exitCode === 0 ? "Completed" : "Error" } };
  return { name, state, lastState: {}, ready: false, started: false, restartCount: 0 };
}

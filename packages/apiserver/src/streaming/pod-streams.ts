import type { Duplex, Readable, Writable } from "node:stream";

export interface ContainerReference {
  readonly namespace: string;
  readonly pod: string;
  /** Of the pod that is meant: another of the same name may have come. */
  readonly uid: string;
  readonly container: string;
}

/** As the query of pods/log has them. */
export interface LogOptions {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  readonly tailLines?: number;
  readonly limitBytes?: number;
}

export interface CommandOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** A process that somebody talks to: a new one (exec), or that of the container (attach). */
export interface PodCommand {
  readonly stdin: Writable | undefined;
  readonly stdout: Readable | undefined;
  readonly stderr: Readable | undefined;
  resize(size: { readonly columns: number; readonly rows: number }): void;
  /** Its exit code, when it has ended and all of its output is there to read. */
  readonly ended: Promise<number>;
  /** The one who talked has gone: ends an exec, leaves an attached container alone. */
  leave(): void;
}

/**
 * What kubelets offer beside running pods. Rejects with StatusErrors in the words of a kubelet,
 * such as for a container that is not there or has not started.
 */
export interface PodStreams {
  logs(of: ContainerReference, options: LogOptions, signal: AbortSignal): Promise<Readable>;
  exec(
    of: ContainerReference,
    command: readonly string[],
    options: CommandOptions,
  ): Promise<PodCommand>;
  attach(of: ContainerReference, options: CommandOptions): Promise<PodCommand>;
  /** A connection to a port of a pod. */
  connect(of: Omit<ContainerReference, "container">, port: number): Promise<Duplex>;
}

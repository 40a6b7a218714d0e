import type { Duplex, Readable, Writable } from "node:stream";

export interface ContainerReference {
  readonly namespace: string;
  readonly pod: string;
  /** Identifies the pod: another one may have its name now. */
  readonly uid: string;
  readonly container: string;
}

/** The options of pods/log. */
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

/** A process to talk to: a new one (exec), or the container's (attach). */
export interface PodCommand {
  readonly stdin: Writable | undefined;
  readonly stdout: Readable | undefined;
  readonly stderr: Readable | undefined;
  resize(size: { readonly columns: number; readonly rows: number }): void;
  /** Resolves with the exit code, after all output is readable. */
  readonly ended: Promise<number>;
  /** The client has left: ends an exec, keeps an attached container. */
  leave(): void;
}

/** The streaming API of a kubelet. Rejects with StatusErrors in the kubelet's wording. */
export interface PodStreams {
  logs(of: ContainerReference, options: LogOptions, signal: AbortSignal): Promise<Readable>;
  exec(
    of: ContainerReference,
    command: readonly string[],
    options: CommandOptions,
  ): Promise<PodCommand>;
  attach(of: ContainerReference, options: CommandOptions): Promise<PodCommand>;
  /** Connects to a port of a pod. */
  connect(of: Omit<ContainerReference, "container">, port: number): Promise<Duplex>;
}

import type { PodStreams } from "@rookery/apiserver";
import type { Client } from "@rookery/client";
import type { Clock } from "@rookery/kube";
import type { Logger } from "@rookery/runtime";
import type { ImagePrograms } from "./containers/images.ts";

export interface NodeOptions {
  /** The name of its Node object. */
  readonly name: string;
  /** The kubelet version in its Node object. */
  readonly version: string;
  /** Reads and writes as the node. */
  readonly client: Client;
  /** The folder of its pods: volumes, logs, and records of processes. */
  readonly folder: string;
  /** The images that are present. */
  readonly images: ImagePrograms;
  /** The address of the API server for pods, and the authority of its certificate, in PEM. */
  readonly api: { readonly host: string; readonly port: number; readonly ca: () => string };
  /** The loopback network that pods have their addresses from, as in "127.64.0.0/16". */
  readonly podCidr: string;
  readonly now: Clock;
  readonly logger: Logger;
  /** Called with unexpected errors. */
  readonly onError: (error: unknown) => void;
}

/** A node whose pods are processes of this machine. Disposing of it ends them, with their grace. */
export interface LocalNode extends AsyncDisposable {
  readonly streams: PodStreams;
}

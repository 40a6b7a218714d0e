import type { PodStreams } from "@rookery/apiserver";
import type { Client } from "@rookery/client";
import type { Clock } from "@rookery/kube";
import type { Logger } from "@rookery/runtime";
import type { ImagePrograms } from "./containers/images.ts";

export interface NodeOptions {
  /** The name of its Node object. */
  readonly name: string;
  /** What its Node object says as the version of the kubelet. */
  readonly version: string;
  /** Reads and writes as the node. */
  readonly client: Client;
  /** The folder of everything of its pods: volumes, logs, and which processes there are. */
  readonly folder: string;
  /** What images are here. */
  readonly images: ImagePrograms;
  /** Where pods reach the API server, and whom they trust as it, in PEM. */
  readonly api: { readonly host: string; readonly port: number; readonly ca: () => string };
  /** The loopback network that pods have their addresses from, as in "127.64.0.0/16". */
  readonly podCidr: string;
  readonly now: Clock;
  readonly logger: Logger;
  /** Hears of what ended by a mistake. */
  readonly onError: (error: unknown) => void;
}

/** A node whose pods are processes of this machine. Disposing of it ends them, with their grace. */
export interface LocalNode extends AsyncDisposable {
  readonly streams: PodStreams;
}

/** `client-node.ts <kubeconfig> <updates>`: the same with @kubernetes/client-node's informer. */
import type { KubeObject } from "@rookery/kube";
import { startInformerProcess } from "./informer-process.ts";
import { nests, sentAnnotation } from "./nests.ts";

/** What is used of it: it need not be installed. */
interface ClientNode {
  readonly KubeConfig: new () => {
    loadFromFile(file: string): void;
    makeApiClient(api: unknown): {
      listClusterCustomObject(target: object): Promise<unknown>;
    };
  };
  readonly CustomObjectsApi: unknown;
  makeInformer(config: object, path: string, list: () => Promise<unknown>): ClientNodeInformer;
}

interface ClientNodeInformer {
  on(event: string, callback: (object: KubeObject) => void): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const specifier = "@kubernetes/client-node";
const { KubeConfig, CustomObjectsApi, makeInformer } = (await import(specifier)) as ClientNode;
const [kubeconfig = "", updates = "0"] = process.argv.slice(2);
const measured = startInformerProcess({ updates: Number(updates) });
const config = new KubeConfig();
config.loadFromFile(kubeconfig);
const api = config.makeApiClient(CustomObjectsApi);
const { group, version, plural } = nests;
const path = `/apis/${group}/${version}/${plural}`;
const list = () => api.listClusterCustomObject({ group, version, plural });
const informer = makeInformer(config, path, list);
informer.on("add", () => measured.onInitial());
informer.on("update", ({ metadata }) => measured.onUpdate(metadata.annotations?.[sentAnnotation]));
await informer.start();
await measured.synced();
await measured.ended();
await informer.stop();
process.exit(0);

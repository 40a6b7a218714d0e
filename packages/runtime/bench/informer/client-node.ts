/** `client-node.ts <kubeconfig> <updates>`: the same with @kubernetes/client-node's informer. */
import { CustomObjectsApi, KubeConfig, makeInformer } from "@kubernetes/client-node";
import { startInformerProcess } from "./informer-process.ts";
import { nests, sentAnnotation } from "./nests.ts";

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
informer.on("update", ({ metadata }) => measured.onUpdate(metadata?.annotations?.[sentAnnotation]));
await informer.start();
await measured.synced();
await measured.ended();
await informer.stop();
process.exit(0);

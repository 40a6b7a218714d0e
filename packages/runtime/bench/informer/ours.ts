/**
 * `ours.ts <kubeconfig> <updates> [whole|streamed|paged]`: the program that measures an informer of
 * this package.
 */
import { createClient, loadConfig } from "@rookery/client";
import { createInformer, type ListMethod } from "@rookery/runtime";
import { startInformerProcess } from "./informer-process.ts";
import { nests, sentAnnotation } from "./nests.ts";

const [kubeconfig = "", updates = "0", lists = "whole"] = process.argv.slice(2);
const measured = startInformerProcess({ updates: Number(updates) });
await using client = createClient(await loadConfig({ path: kubeconfig }));
const informer = createInformer({
  resource: nests,
  listWatch: client.resource(nests),
  lists: lists as ListMethod,
});
const registration = informer.addEventHandler((event) => {
  if (event.type === "create") measured.onInitial();
  if (event.type !== "update") return;
  measured.onUpdate(event.objectNew.metadata.annotations?.[sentAnnotation]);
});
const stop = new AbortController();
const running = informer.run(stop.signal);
await registration.waitForSync();
await measured.synced();
await measured.ended();
stop.abort();
await running;

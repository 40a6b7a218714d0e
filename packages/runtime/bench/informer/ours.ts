/** `ours.ts <kubeconfig> <updates>`: the program that measures an informer of this package. */
import { createClient, loadConfig } from "@rookery/client";
import { createCache } from "@rookery/runtime";
import { startInformerProcess } from "./informer-process.ts";
import { nests, sentAnnotation } from "./nests.ts";

const [kubeconfig = "", updates = "0"] = process.argv.slice(2);
const measured = startInformerProcess({ updates: Number(updates) });
await using client = createClient(await loadConfig({ path: kubeconfig }));
const cache = createCache({ client });
const registration = cache.informerFor(nests).addEventHandler((event) => {
  if (event.type === "create") measured.onInitial();
  if (event.type !== "update") return;
  measured.onUpdate(event.objectNew.metadata.annotations?.[sentAnnotation]);
});
const stop = new AbortController();
const running = cache.start(stop.signal);
await registration.waitForSync();
await measured.synced();
await measured.ended();
stop.abort();
await running;

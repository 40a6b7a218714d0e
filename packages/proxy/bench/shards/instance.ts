/**
 * `instance.ts <kubeconfig> [namespace …]`: an informer of all namespaces, or of some by flag, which
 * prints how long it took and the memory that it holds then.
 */
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, loadConfig } from "@rookery/client";
import { allNamespaces, collectGarbage, createInformer } from "@rookery/runtime";
import { flocks } from "./flocks.ts";

const [kubeconfig = "", ...namespaces] = process.argv.slice(2);
await using client = createClient(await loadConfig({ path: kubeconfig }));
await client.version();
const scope = namespaces.length > 0 ? ({ type: "namespaces", namespaces } as const) : allNamespaces;
const stop = new AbortController();
const started = performance.now();
const informer = createInformer({ resource: flocks, listWatch: client.resource(flocks), scope });
const running = informer.run(stop.signal);
await informer.waitForSync();
const milliseconds = performance.now() - started;
await delay(1000);
// What is garbage is not what an instance holds: managers let go of it a while after they have started.
await collectGarbage();
await delay(500);
// Without the program's own pages, which all processes of a machine share and which come as they are used.
const [, kilobytes] = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
const objects = informer.list().length;
console.log(JSON.stringify({ objects, milliseconds, resident: Number(kilobytes) / 1024 }));
process.stdin.once("end", () => stop.abort()).resume();
await running;

/** An API server that answers at once: a widget, a list of them, a Pod; the last line it prints is its address. */
import { readFile } from "node:fs/promises";
import { createHttpServer, discardBody, type HttpResponse } from "@rookery/http";
import { listOf, pod, widget } from "./bodies.ts";

const [cert = "", key = ""] = await Promise.all(
  process.argv.slice(2, 4).map((file) => readFile(file, "utf8")),
);
const bodies = new Map([
  ["/widgets/a", Buffer.from(JSON.stringify(widget("a")))],
  ["/widgets", Buffer.from(JSON.stringify(listOf(500)))],
  ["/pods/a", Buffer.from(JSON.stringify(pod("a")))],
]);
const server = createHttpServer({
  tls: { cert, key },
  async handler({ path, body }): Promise<HttpResponse> {
    await discardBody(body);
    const found = bodies.get(path.replace(/^.*\/namespaces\/default/, ""));
    return { status: 200, headers: { "content-type": "application/json" }, body: found };
  },
  onError: (error) => console.error(error),
});
await server.listen({ host: "127.0.0.1", port: 0 });
console.log(server.url);

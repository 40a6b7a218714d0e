/** A small server to run in a pod: says which pod it is, and ends when it is told. */
import { hostname } from "node:os";
import { createHttpServer, type HttpRequest, type HttpResponse } from "@rookery/http";

let visits = 0;

function handle(request: HttpRequest): HttpResponse {
  if (request.path === "/healthz") return answer(200, "ok");
  if (request.path === "/crash") {
    console.log("told to crash");
    setImmediate(() => process.exit(1));
    return answer(200, "crashing");
  }
  visits += 1;
  console.log(`visit ${visits}`);
  return answer(200, JSON.stringify({ pod: hostname(), visits }));
}

function answer(status: number, text: string): HttpResponse {
  return { status, headers: { "content-type": "application/json" }, body: Buffer.from(text) };
}

const server = createHttpServer({ handler: handle, onError: console.error });
await server.listen({ host: "0.0.0.0", port: 8080 });
console.log("serving on 8080");
process.once("SIGTERM", () => server.close());

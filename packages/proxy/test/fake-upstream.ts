import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHttpServer, type Handler, type HttpServer } from "@rookery/http";
import { createTemporaryFolder } from "@rookery/testing";

export interface FakeUpstream extends AsyncDisposable {
  /** Leads to it. */
  readonly kubeconfig: string;
  readonly server: HttpServer;
}

/** An API server that answers as a test says, in the clear; it is ready unless the test says otherwise. */
export async function startFakeUpstream(handler: Handler): Promise<FakeUpstream> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder("upstream"));
  const ready = { status: 200, headers: {}, body: Buffer.from("ok") };
  const server = stack.use(
    createHttpServer({
      handler: (request) => (request.path === "/readyz" ? ready : handler(request)),
      onError: () => {},
    }),
  );
  await server.listen({ host: "127.0.0.1", port: 0 });
  const kubeconfig = join(folder.path, "kubeconfig");
  await writeFile(kubeconfig, JSON.stringify(kubeconfigFor(server.url)));
  const owned = stack.move();
  return { kubeconfig, server, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function kubeconfigFor(server: string) {
  return {
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "k", user: "u", namespace: "team1" } }],
    clusters: [{ name: "k", cluster: { server } }],
    users: [{ name: "u", user: {} }],
  };
}

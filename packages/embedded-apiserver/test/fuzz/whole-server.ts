import { PassThrough } from "node:stream";
import { startControllers } from "@rookery/embedded-controllers";
import {
  type BodyWriter,
  Context,
  collectBody,
  discardBody,
  type Handler,
  PeerGoneError,
} from "@rookery/http";
import { silentLogger } from "@rookery/runtime";
import { createTemporaryFolder } from "@rookery/testing";
import { bootstrapCluster } from "../../src/post-start-hooks/bootstrap.ts";
import { startHooks } from "../../src/post-start-hooks/start-hooks.ts";
import { withDefaults } from "../../src/server/api-server-options.ts";
import { assemble } from "../../src/server/assemble.ts";
import { openLocalPki } from "../../src/server/local-pki.ts";
import { PkiFiles } from "../../src/server/pki-files.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { FuzzAnswer } from "./fuzz-client.ts";
import type { FuzzRequest } from "./requests.ts";

export interface WholeServer extends AsyncDisposable {
  ask(request: FuzzRequest): Promise<FuzzAnswer>;
  /** What it would write to its log. */
  readonly errors: readonly unknown[];
}

/** All of the embedded Kubernetes but its sockets, with the rights of an administrator. */
export async function startWholeServer(): Promise<WholeServer> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder("fuzz")).path;
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const store = stack.use(await openStore({ folder: "" }));
  const options = withDefaults({ store, data: folder, onError });
  const { now } = options;
  const pki = await openLocalPki({ files: new PkiFiles(folder), hosts: ["127.0.0.1"], now });
  const { access, client, groups } = stack.use(
    assemble(
      { pki, options },
      {
        audit: undefined,
        readinessChecks: [],
        externalAddress: () => "127.0.0.1:6443",
        podStreams: () => undefined,
      },
    ),
  );
  const advertised = { ip: "127.0.0.1", port: 6443 };
  const { signal } = new AbortController();
  await bootstrapCluster({ client, signal, advertised, serviceIp: "10.0.0.1" });
  const { cluster } = access;
  stack.use(startHooks({ store, client, now, logger: silentLogger, cluster, onError }));
  stack.use(
    startControllers({
      store,
      client,
      groups,
      now,
      onError,
      tokens: access.tokens,
      authorize: access.authorize,
      rootCa: () => pki.ca.certificate,
      authority: { sign: async (...request) => (await pki.authority()).sign(...request) },
    }),
  );
  const owned = stack.move();
  return {
    errors,
    ask: (request) => ask(client.handler, request),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const bodyLimit = 64 * 1024 * 1024;

async function ask(handler: Handler, asked: FuzzRequest): Promise<FuzzAnswer> {
  const leave = new AbortController();
  const { signal } = leave;
  const { method, path, query, body, cutAfter } = asked;
  const headers = { ...asked.headers, ...(body && { "content-type": body.contentType }) };
  const sent =
    body && cutAfter !== undefined ? bodyOfOneWhoLeaves(body.bytes, cutAfter, leave) : body?.bytes;
  const context = Context.empty;
  const response = await handler({ method, path, query, headers, body: sent, signal, context });
  const { status } = response;
  // What goes on for as long as one likes is left at once.
  if (typeof response.body === "function" || response.upgrade) {
    leave.abort(new PeerGoneError());
    response.upgrade?.(new PassThrough().destroy());
    await discardBody(response.body, { limit: 0 });
    return { status, text: "" };
  }
  const text = Buffer.from(await collectBody(response.body, { limit: bodyLimit })).toString();
  return { status: signal.aborted ? 0 : status, text };
}

function bodyOfOneWhoLeaves(bytes: Uint8Array, after: number, leave: AbortController): BodyWriter {
  return async (sink) => {
    sink.write(bytes.subarray(0, Math.min(after, bytes.length - 1)));
    leave.abort(new PeerGoneError());
    throw new PeerGoneError();
  };
}

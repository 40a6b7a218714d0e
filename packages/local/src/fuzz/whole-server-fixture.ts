import { PassThrough } from "node:stream";
import {
  type BodyWriter,
  Context,
  collectBody,
  discardBody,
  type Handler,
  PeerGoneError,
} from "@rookery/http";
import { createTemporaryFolder } from "@rookery/testing";
import { bootstrapCluster } from "../controllers/bootstrap.ts";
import { assemble } from "../server/assemble.ts";
import { withDefaults } from "../server/local-options.ts";
import { openLocalPki } from "../server/local-pki.ts";
import { PkiFiles } from "../server/pki-files.ts";
import { openStore } from "../store/open-store.ts";
import type { FuzzAnswer } from "./fuzz-client-fixture.ts";
import type { FuzzRequest } from "./requests-fixture.ts";

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
  const options = withDefaults({ data: folder, onError: (error) => errors.push(error) });
  const store = stack.use(await openStore({ folder: "" }));
  const { now } = options;
  const pki = await openLocalPki({ files: new PkiFiles(folder), hosts: ["127.0.0.1"], now });
  const assembled = stack.use(
    assemble(
      { store, pki, options },
      {
        audit: undefined,
        readinessChecks: [],
        externalAddress: () => "127.0.0.1:6443",
        podStreams: () => undefined,
      },
    ),
  );
  const { client } = assembled;
  const advertised = { ip: "127.0.0.1", port: 6443 };
  const { signal } = new AbortController();
  await bootstrapCluster({ client, signal, advertised, serviceIp: "10.0.0.1", hasNode: false });
  stack.use(assembled.startControllers());
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

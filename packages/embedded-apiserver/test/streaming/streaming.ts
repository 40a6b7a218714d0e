import { type Duplex, duplexPair, PassThrough, Readable } from "node:stream";
import type { PodCommand, PodStreams } from "@rookery/apiserver";
import { type AdmissionPlugin, createApiServer } from "@rookery/apiserver";
import { Context, collectBody, type HttpHeaders, type HttpResponse } from "@rookery/http";
import type { KubeObject } from "@rookery/kube";
import { HttpClientPool } from "../../src/http-client-pool.ts";
import { coreKinds } from "../../src/kinds/built-in-kinds.ts";
import { servedKind } from "../../src/registry/served-kind.ts";
import { openStore } from "../../src/store/open-store.ts";
import { connectedSubresources } from "../../src/streaming/connected-subresources.ts";
import { typedDecoder } from "../../src/types/typed-decoder.ts";

const now = () => new Date("2026-01-01T00:00:00Z");

/** A process that a test plays. */
export interface FakeCommand extends PodCommand {
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
  readonly sizes: object[];
  readonly asked: readonly unknown[];
  hasBeenLeft: boolean;
  /** Ends it, with its outputs. */
  exit(code: number): void;
}

class FakeStreams implements PodStreams {
  readonly commands: FakeCommand[] = [];
  readonly logsAsked: unknown[][] = [];
  /** What logs gives. */
  log: Readable = Readable.from([Buffer.from("one\n"), Buffer.from("two\n")]);
  connectTo: (port: number) => Promise<Duplex> = () => Promise.reject(new Error("refused"));
  refusal: Error | undefined;

  async logs(...asked: Parameters<PodStreams["logs"]>): Promise<Readable> {
    this.logsAsked.push(asked);
    if (this.refusal) throw this.refusal;
    return this.log;
  }

  async exec(...asked: Parameters<PodStreams["exec"]>): Promise<PodCommand> {
    return this.#command(asked);
  }

  async attach(...asked: Parameters<PodStreams["attach"]>): Promise<PodCommand> {
    return this.#command(asked);
  }

  connect(_: unknown, port: number): Promise<Duplex> {
    return this.connectTo(port);
  }

  #command(asked: readonly unknown[]): FakeCommand {
    if (this.refusal) throw this.refusal;
    const ended = Promise.withResolvers<number>();
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const command: FakeCommand = {
      stdin,
      stdout,
      stderr,
      asked,
      sizes: [],
      hasBeenLeft: false,
      ended: ended.promise,
      resize: (size) => command.sizes.push(size),
      leave() {
        command.hasBeenLeft = true;
      },
      exit(code) {
        stdout.end();
        stderr.end();
        ended.resolve(code);
      },
    };
    this.commands.push(command);
    return command;
  }
}

interface Asking {
  readonly method?: string;
  readonly headers?: HttpHeaders;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal;
}

export interface StreamingScene extends AsyncDisposable {
  readonly streams: FakeStreams;
  answer(target: string, asking?: Asking): Promise<HttpResponse>;
  /** The status and what was answered as text. */
  ask(target: string, asking?: Asking): Promise<{ readonly status: number; readonly text: string }>;
  /** The client's end of a switched protocol. */
  upgrade(target: string, asking: Asking): Promise<Duplex>;
}

/** A server of pods, nodes and services without a socket, and a node that a test plays. */
export async function streamingScene(
  options: {
    readonly objects?: readonly KubeObject[];
    readonly hasNode?: boolean;
    readonly admission?: readonly AdmissionPlugin[];
  } = {},
): Promise<StreamingScene> {
  const { objects = podObjects, hasNode = true, admission = [] } = options;
  const store = await openStore({ folder: "" });
  for (const object of objects) {
    const { namespace = "", name = "" } = object.metadata;
    const resource = object.kind.toLowerCase().replace(/[^s]$/, "$&s");
    await store.write({ resource, namespace, name, expected: 0, object });
  }
  const streams = new FakeStreams();
  const clients = new HttpClientPool(32);
  const onError = (error: unknown) => {
    throw error;
  };
  const podStreams = () => (hasNode ? streams : undefined);
  const connected = connectedSubresources({ store, podStreams, clients, onError });
  const kinds = coreKinds({ store, now, serviceCidr: "10.0.0.0/24" });
  const resources = kinds.map((kind) =>
    connected(kind, servedKind(kind, { store, now, decoderOf: typedDecoder })),
  );
  const { handler } = createApiServer({
    groups: [{ name: "", versions: [{ name: "v1", resources }] }],
    authenticate: () => ({ name: "admin", groups: ["system:masters"] }),
    authorize: () => ({ decision: "Allow" }),
    onError,
    admission,
    now,
  });
  const answer = async (target: string, { method = "GET", headers = {}, ...rest }: Asking = {}) => {
    const [path = "", query = ""] = target.split("?");
    const { signal } = new AbortController();
    return handler({ method, path, query, headers, signal, context: Context.empty, ...rest });
  };
  return {
    streams,
    answer,
    async ask(target, asking) {
      const { status, body } = await answer(target, asking);
      const text = Buffer.from(await collectBody(body, { limit: 2 ** 24 })).toString();
      return { status, text };
    },
    async upgrade(target, asking) {
      const { status, upgrade } = await answer(target, asking);
      if (!upgrade) throw new Error(`it was answered with ${status}`);
      const [near, far] = duplexPair();
      upgrade(far);
      return near;
    },
    async [Symbol.asyncDispose]() {
      await clients[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

export function podObject(name: string, more: { spec?: object; status?: object } = {}): KubeObject {
  const spec = { containers: [{ name: "app" }], nodeName: "here", ...more.spec };
  const metadata = { name, namespace: "ns", uid: `uid-${name}` };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata,
    spec,
    ...(more.status && { status: more.status }),
  };
}

export const nodeObject: KubeObject = {
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "here" },
};

const podObjects = [nodeObject, podObject("web")];

export const spdyHeaders = (protocol: string): HttpHeaders => ({
  connection: "Upgrade",
  upgrade: "SPDY/3.1",
  "x-stream-protocol-version": protocol,
});

export const webSocketHeaders = (protocol: string): HttpHeaders => ({
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  ...(protocol && { "sec-websocket-protocol": protocol }),
});

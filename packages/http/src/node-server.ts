import { constants } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createSecureServer, type Http2SecureServer } from "node:http2";
import type { Socket } from "node:net";
import { answerClientError } from "./answer-client-error.ts";
import { Http1Connection } from "./http1-connection.ts";
import { Http2Connection } from "./http2-connection.ts";
import { createServer } from "./node-http.ts";
import type { ServerConnections } from "./server-connections.ts";
import type { ServerHooks } from "./server-exchange.ts";
import type { ServerLimits } from "./server-limits.ts";

/** HTTP/2 counts so many bytes for a header, beside its name and value. */
const smallestHeader = 32;

/** PEM throughout. */
export interface ServerTls {
  readonly cert: string;
  readonly key: string;
  /** Asks clients for a certificate and says whether it leads to one of these authorities. */
  readonly clientCa?: string | readonly string[];
}

export interface NodeServerOptions {
  readonly hooks: ServerHooks;
  readonly limits: Required<ServerLimits>;
  readonly connections: ServerConnections;
}

/** HTTP/1.1 without TLS. */
export function createPlainNodeServer(options: NodeServerOptions): Server {
  const server = createServer({ ...http1Options(options.limits), keepAlive: true });
  const add = serveHttp1(server, options);
  server.on("connection", add);
  return server;
}

/** HTTP/1.1 and HTTP/2 on one port, by TLS. */
export function createSecureNodeServer(
  tls: ServerTls,
  options: NodeServerOptions,
): Http2SecureServer {
  const { hooks, limits, connections } = options;
  const server = createSecureServer({
    ...secureContextOptions(tls),
    allowHTTP1: true,
    http1Options: http1Options(limits),
    requestCert: tls.clientCa !== undefined,
    rejectUnauthorized: false,
    handshakeTimeout: limits.handshakeTimeout,
    // Megabytes. Node counts the responses that wait to be sent, and beyond it refuses requests.
    maxSessionMemory: 100_000,
    noDelay: true,
    keepAlive: true,
    maxHeaderListPairs: Math.ceil(limits.maxHeaderSize / smallestHeader),
    settings: {
      enableConnectProtocol: true,
      maxConcurrentStreams: limits.maxConcurrentStreams,
      maxHeaderListSize: limits.maxHeaderSize,
    },
  });
  const add = serveHttp1(server, options);
  // Node:http2 also offers streams as requests of the older shape; those are not needed here.
  server.removeAllListeners("stream");
  server.on("secureConnection", (socket) => {
    if (socket.alpnProtocol !== "h2") add(socket);
  });
  server.on("session", (session) => {
    connections.add(new Http2Connection(session, hooks, limits), session);
  });
  return server;
}

/** What `setSecureContext` takes: all of it, because it forgets what it had. */
export function secureContextOptions({ cert, key, clientCa }: ServerTls) {
  if (clientCa === undefined) return { cert, key };
  // A resumed session brings an old verdict on the client's certificate, and no intermediate ones.
  return { cert, key, ca: [clientCa].flat(), secureOptions: constants.SSL_OP_NO_TICKET };
}

/** Gives back what takes a new connection. */
function serveHttp1(server: Server | Http2SecureServer, options: NodeServerOptions) {
  const { hooks, connections } = options;
  const bySocket = new WeakMap<Socket, Http1Connection>();
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) =>
    bySocket.get(incoming.socket)?.request(incoming, outgoing);
  const nodeServer = server as Server;
  // Their size is limited; to leave out the last ones of many would be to change what was said.
  nodeServer.maxHeadersCount = 0;
  nodeServer.on("request", onRequest).on("checkContinue", onRequest);
  nodeServer.on("clientError", (error, socket) => {
    const connection = bySocket.get(socket as Socket);
    // Nothing can be put into the middle of an answer. Nor before a handshake: what is said then is sent
    // when it is over after all, and taken for the answer to a request that nobody has read.
    if (connection === undefined || connection.isAnswering) socket.destroy();
    else answerClientError(error, socket);
  });
  nodeServer.on("upgrade", (incoming, _, rest) => {
    bySocket.get(incoming.socket)?.upgrade(incoming, rest);
  });
  // HTTP/2 without TLS is an offer that a server may overlook; the request is then an ordinary one.
  const shouldUpgradeCallback = ({ headers }: IncomingMessage) =>
    headers.upgrade?.toLowerCase() !== "h2c";
  Object.assign(server, { shouldUpgradeCallback });
  return (socket: Socket) => {
    const connection = new Http1Connection(socket, hooks);
    bySocket.set(socket, connection);
    connections.add(connection, socket);
  };
}

function http1Options(limits: Required<ServerLimits>) {
  const { headersTimeout, bodyTimeout, idleTimeout, maxHeaderSize } = limits;
  const requestTimeout = bodyTimeout === 0 ? 0 : headersTimeout + bodyTimeout;
  const shortest = Math.min(headersTimeout || Infinity, requestTimeout || Infinity, 20_000);
  return {
    headersTimeout,
    requestTimeout,
    // Node looks only this often whether a time is over.
    connectionsCheckingInterval: Math.ceil(shortest / 4),
    keepAliveTimeout: idleTimeout,
    maxHeaderSize,
    // Whoever leaves it out is told so in words.
    requireHostHeader: false,
  };
}

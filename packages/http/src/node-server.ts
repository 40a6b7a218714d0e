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

/** HTTP/2 counts this many bytes per header in addition to name and value. */
const smallestHeader = 32;

/** PEM throughout. */
export interface ServerTls {
  readonly cert: string;
  readonly key: string;
  /** Requests client certificates, and reports whether these authorities signed them. */
  readonly clientCa?: string | readonly string[];
}

export interface NodeServerOptions {
  readonly hooks: ServerHooks;
  readonly limits: Required<ServerLimits>;
  readonly connections: ServerConnections;
}

export function createPlainNodeServer(options: NodeServerOptions): Server {
  const server = createServer({ ...http1Options(options.limits), keepAlive: true });
  const add = serveHttp1(server, options);
  server.on("connection", add);
  return server;
}

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
    // In megabytes. Node counts responses that wait to be sent, and rejects requests beyond.
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
  // node:http2 also emits streams as requests of the older shape.
  server.removeAllListeners("stream");
  server.on("secureConnection", (socket) => {
    if (socket.alpnProtocol !== "h2") add(socket);
  });
  server.on("session", (session) => {
    connections.add(new Http2Connection(session, hooks, limits), session);
  });
  return server;
}

/** All settings, because `setSecureContext` resets the others. */
export function secureContextOptions({ cert, key, clientCa }: ServerTls) {
  if (clientCa === undefined) return { cert, key };
  // A resumed session has an old verification result and no intermediate certificates.
  return { cert, key, ca: [clientCa].flat(), secureOptions: constants.SSL_OP_NO_TICKET };
}

/** Returns a function that adds a connection. */
function serveHttp1(server: Server | Http2SecureServer, options: NodeServerOptions) {
  const { hooks, connections } = options;
  const bySocket = new WeakMap<Socket, Http1Connection>();
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) =>
    bySocket.get(incoming.socket)?.request(incoming, outgoing);
  const nodeServer = server as Server;
  // The size is limited instead; dropping headers would change the request.
  nodeServer.maxHeadersCount = 0;
  nodeServer.on("request", onRequest).on("checkContinue", onRequest);
  nodeServer.on("clientError", (error, socket) => {
    const connection = bySocket.get(socket as Socket);
    // No answer within another one. Nor before a handshake: its data would be sent after it, as the
    // answer to an unread request.
    if (connection === undefined || connection.isAnswering) socket.destroy();
    else answerClientError(error, socket);
  });
  nodeServer.on("upgrade", (incoming, _, rest) => {
    bySocket.get(incoming.socket)?.upgrade(incoming, rest);
  });
  // A server may ignore an offer of HTTP/2 without TLS.
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
    // The interval of node's timeout checks.
    connectionsCheckingInterval: Math.ceil(shortest / 4),
    keepAliveTimeout: idleTimeout,
    maxHeaderSize,
    // Rejected with a message instead.
    requireHostHeader: false,
  };
}

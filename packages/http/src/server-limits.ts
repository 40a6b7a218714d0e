/** What a server grants its clients. Times are in milliseconds; 0 means without end. */
export interface ServerLimits {
  /** For the TLS handshake. 32 s where absent. */
  readonly handshakeTimeout?: number;
  /** From the connection, or the first byte of a request, to the end of its headers. 32 s. */
  readonly headersTimeout?: number;
  /** To read a request's body from beginning to end; a response may take any time. 300 s. */
  readonly bodyTimeout?: number;
  /** For a connection on which nothing is asked. 90 s. */
  readonly idleTimeout?: number;
  /** The bytes of a request's headers. 64 KiB. */
  readonly maxHeaderSize?: number;
  /** Requests at a time on one HTTP/2 connection. 250. */
  readonly maxConcurrentStreams?: number;
  /** 16384. More are closed at once. */
  readonly maxConnections?: number;
}

/** The times of handshakes, headers and idleness are those of kube-apiserver. */
const defaults: Required<ServerLimits> = {
  handshakeTimeout: 32_000,
  headersTimeout: 32_000,
  bodyTimeout: 300_000,
  idleTimeout: 90_000,
  maxHeaderSize: 64 * 1024,
  maxConcurrentStreams: 250,
  maxConnections: 16_384,
};

export function withDefaultLimits(limits: ServerLimits = {}): Required<ServerLimits> {
  return { ...defaults, ...limits };
}

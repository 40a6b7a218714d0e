/** Limits for clients. Times are in milliseconds; 0 means no limit. */
export interface ServerLimits {
  /** For the TLS handshake; 32 s by default. */
  readonly handshakeTimeout?: number;
  /**
   * From the connection, or the first byte of a request, to the end of its headers; 32 s by
   * default.
   */
  readonly headersTimeout?: number;
  /** For a whole request body; 300 s by default. */
  readonly bodyTimeout?: number;
  /** For an idle connection; 90 s by default. */
  readonly idleTimeout?: number;
  /** Bytes of request headers; 64 KiB by default. */
  readonly maxHeaderSize?: number;
  /** Concurrent requests of an HTTP/2 connection; 250 by default. */
  readonly maxConcurrentStreams?: number;
  /** 16384 by default. Further connections are closed at once. */
  readonly maxConnections?: number;
}

/** The times are those of kube-apiserver, except bodyTimeout. */
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

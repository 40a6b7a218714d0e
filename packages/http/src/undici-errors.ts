import { type FailedRequest, RequestError, type RequestErrorCode } from "./errors.ts";

interface Meaning {
  readonly code: RequestErrorCode;
  readonly reason: string;
}

const timedOut = (reason: string): Meaning => ({ code: "TimedOut", reason });
const closed: Meaning = { code: "ClientClosed", reason: "the client is closed" };

const meanings: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: { code: "ConnectionRefused", reason: "connection refused" },
  UND_ERR_CONNECT_TIMEOUT: timedOut("no connection in time"),
  ETIMEDOUT: timedOut("no connection in time"),
  UND_ERR_HEADERS_TIMEOUT: timedOut("no answer in time"),
  UND_ERR_BODY_TIMEOUT: timedOut("no further data in time"),
  UND_ERR_DESTROYED: closed,
  UND_ERR_CLOSED: closed,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: {
    code: "ConnectionLost",
    reason: "the body does not have its declared length",
  },
};

const tlsCode =
  /^(ERR_SSL_|ERR_TLS_|ERR_OSSL_|EPROTO$|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|UND_ERR_PRX_TLS)/;
const invalidRequestCode =
  /^(UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED|UND_ERR_REQ_CONTENT_LENGTH_MISMATCH|ERR_ASSERTION|ERR_HTTP2_INVALID_|ERR_HTTP2_HEADER_)/;
const invalidResponseCode = /^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)/;

/** Converts undici's errors. */
export function requestError(request: FailedRequest, error: Error): RequestError {
  const { code, reason } = meaningOf(request, error);
  return new RequestError(request, code, { reason, cause: error });
}

function meaningOf(request: FailedRequest, error: Error): Meaning {
  const code = errorCode(error);
  const known = meanings[code];
  if (known) return known;
  const reason = error.message || code;
  if (tlsCode.test(code)) return { code: "TlsFailed", reason };
  if (invalidRequestCode.test(code)) return { code: "InvalidRequest", reason };
  if (invalidResponseCode.test(code)) return { code: "InvalidResponse", reason };
  return { code: request.stage === "connect" ? "ConnectFailed" : "ConnectionLost", reason };
}

/** The code of the error, or of the first of several tried addresses. */
function errorCode(error: Error): string {
  const [first] = error instanceof AggregateError ? error.errors : [];
  const { code, name } = (first ?? error) as NodeJS.ErrnoException;
  return code ?? name;
}

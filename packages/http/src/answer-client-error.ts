import type { Duplex } from "node:stream";

export const badRequest = "400 Bad Request";
export const unknownEncoding = "501 Not Implemented: Unsupported transfer encoding";

/** The answers of Go's server to invalid HTTP. */
const answers: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Request Entity Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
  HPE_INVALID_VERSION: "505 HTTP Version Not Supported: unsupported protocol version",
  HPE_INVALID_TRANSFER_ENCODING: unknownEncoding,
};

/** The time for a client that still sends to read its answer, which a reset would destroy. */
const lingerMs = 500;

/** Answered sockets: node:http repeats an error with all later data. */
const answered = new WeakSet<Duplex>();

/** Answers a client with invalid or late HTTP, and closes its connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (answered.has(socket)) return;
  answered.add(socket);
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  socket.on("error", () => {});
  const answer = plainAnswer(answerTo(error));
  socket.end(isHead(error) ? answer.slice(0, answer.indexOf("\r\n\r\n") + 4) : answer);
  // Discards further data. A listener, because node:http releases its socket for one.
  socket.on("data", () => {});
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
}

/** The answer to HEAD must have no body. */
function isHead(error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }): boolean {
  return error.rawPacket?.subarray(0, 5).toString("latin1") === "HEAD ";
}

function answerTo({ code = "", ...error }: NodeJS.ErrnoException): string {
  // A length beside chunks is ambiguous, not an unknown encoding.
  const isAmbiguous = "reason" in error && String(error.reason).includes("Content-Length");
  return isAmbiguous ? badRequest : (answers[code] ?? badRequest);
}

/** A complete answer that ends the connection. */
export function plainAnswer(line: string): string {
  const [status = ""] = line.split(":");
  const headers = "Content-Type: text/plain; charset=utf-8\r\nConnection: close";
  return `HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${bodyOf(line)}`;
}

/** Go repeats other statuses in the body. */
export function bodyOf(line: string): string {
  return line.replace(/^501 Not Implemented: /, "");
}

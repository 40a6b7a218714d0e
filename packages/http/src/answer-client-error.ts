import type { Duplex } from "node:stream";

export const badRequest = "400 Bad Request";
export const unknownEncoding = "501 Not Implemented: Unsupported transfer encoding";

/** What Go's server says of what is no HTTP; whoever compares servers looks at it. */
const answers: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Request Entity Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
  HPE_INVALID_VERSION: "505 HTTP Version Not Supported: unsupported protocol version",
  HPE_INVALID_TRANSFER_ENCODING: unknownEncoding,
};

/** How long a client that sends on has to see its answer: a reset at once would destroy it. */
const lingerMs = 500;

/** Those that have their answer: node:http tells of an error again with all that they send on. */
const answered = new WeakSet<Duplex>();

/** Answers a client that does not speak HTTP, or not in time, and closes its connection. */
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
  // What it sends on is read, and goes nowhere. By a listener: node:http lets go of its socket for one.
  socket.on("data", () => {});
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
}

/** Whoever asks for a head alone takes nothing after it for an answer. */
function isHead(error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }): boolean {
  return error.rawPacket?.subarray(0, 5).toString("latin1") === "HEAD ";
}

function answerTo({ code = "", ...error }: NodeJS.ErrnoException): string {
  // A length beside chunks is no encoding that is unknown, but two truths.
  const isAmbiguous = "reason" in error && String(error.reason).includes("Content-Length");
  return isAmbiguous ? badRequest : (answers[code] ?? badRequest);
}

/** A whole answer of one line, after which the connection ends. */
export function plainAnswer(line: string): string {
  const [status = ""] = line.split(":");
  const headers = "Content-Type: text/plain; charset=utf-8\r\nConnection: close";
  return `HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${bodyOf(line)}`;
}

/** Go tells the status again, but not with this one. */
export function bodyOf(line: string): string {
  return line.replace(/^501 Not Implemented: /, "");
}

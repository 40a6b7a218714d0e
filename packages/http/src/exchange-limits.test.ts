import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { describe, it } from "node:test";
import { failure, request, startLoopback, text } from "../test/loopback.ts";
import { onHead, startRawServer } from "../test/raw-server.ts";
import { Context } from "./context.ts";
import {
  type ExchangeLimits,
  exchangeLimitsKey,
  noLimits,
  streamLimits,
} from "./exchange-limits.ts";
import { createHttpClient } from "./http-client.ts";
import type { HttpRequest } from "./message.ts";

const deadlineMs = 300;
const answerBytes = 1000;

/** Writes something again and again, for as long as the socket is there. */
function repeat(socket: Socket, piece: string, everyMs = 5): void {
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.once("close", () => clearInterval(timer));
}

function flood(socket: Socket, piece: string): void {
  const write = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", write);
  write();
}

const ok = "HTTP/1.1 200 OK\r\n";
const big = "x".repeat(10_000);

interface Case {
  readonly answer: (socket: Socket) => void;
  readonly code: string;
  readonly scheme?: "https";
}

const servers: Record<string, Case> = {
  "never answers": { answer: () => {}, code: "DeadlineExceeded" },
  "never finishes TLS": { answer: () => {}, code: "DeadlineExceeded", scheme: "https" },
  "drips its headers": {
    answer: (socket) => {
      socket.write(ok);
      repeat(socket, "a: b\r\n");
    },
    code: "DeadlineExceeded",
  },
  "drips its body": {
    answer: (socket) => {
      socket.write(`${ok}content-length: 500\r\n\r\n`);
      repeat(socket, "x");
    },
    code: "DeadlineExceeded",
  },
  "drips chunks": {
    answer: (socket) => {
      socket.write(`${ok}transfer-encoding: chunked\r\n\r\n`);
      repeat(socket, "1\r\nx\r\n");
    },
    code: "DeadlineExceeded",
  },
  "drips an extension of a chunk": {
    answer: (socket) => {
      socket.write(`${ok}transfer-encoding: chunked\r\n\r\n1;`);
      repeat(socket, "x");
    },
    code: "DeadlineExceeded",
  },
  "only ever says that it continues": {
    answer: (socket) => repeat(socket, "HTTP/1.1 103 Early Hints\r\n\r\n"),
    code: "DeadlineExceeded",
  },
  "sends headers without end": {
    answer: (socket) => {
      socket.write(ok);
      flood(socket, `a: ${big}\r\n`);
    },
    code: "InvalidResponse",
  },
  "declares more than is taken": {
    answer: (socket) => {
      socket.write(`${ok}content-length: 240000000\r\n\r\n`);
      flood(socket, big);
    },
    code: "AnswerTooLarge",
  },
  "sends more than is taken, in chunks": {
    answer: (socket) => {
      socket.write(`${ok}transfer-encoding: chunked\r\n\r\n`);
      flood(socket, `2710\r\n${big}\r\n`);
    },
    code: "AnswerTooLarge",
  },
  "sends more than is taken, until it closes": {
    answer: (socket) => {
      socket.write(`${ok}connection: close\r\n\r\n`);
      flood(socket, big);
    },
    code: "AnswerTooLarge",
  },
};

describe("an exchange with a server that", () => {
  for (const [name, { answer, code, scheme = "http" }] of Object.entries(servers)) {
    it(`${name} ends as ${code}, and its connection with it`, async () => {
      await using server = await startRawServer((socket) => {
        if (scheme === "http") onHead(socket, () => answer(socket));
        else socket.resume();
      });
      {
        const origin = `${scheme}://127.0.0.1:${server.port}`;
        const limits = { deadlineMs, answerBytes };
        // A connection that is being made goes on until that has taken too long.
        await using client = createHttpClient({ origin, limits, timeouts: { connect: 1000 } });
        const asked = Promise.resolve(client.handler(request())).then(text);
        assert.equal((await failure(asked)).code, code);
      }
      const closed = [...server.sockets].map(
        (socket) => new Promise((resolve) => socket.once("close", resolve)),
      );
      await Promise.all(closed);
    });
  }
});

describe("the limits of an exchange", () => {
  const bytes = Buffer.alloc(answerBytes + 1);

  it("are there for whoever asks for none", async () => {
    const long = Buffer.alloc(8 * 1024 * 1024 + 1);
    const answer = () => ({ status: 200, headers: {}, body: long });
    await using loopback = await startLoopback("HTTP/1.1", answer, { client: { limits: {} } });
    assert.equal((await failure(loopback.send().then(text))).code, "AnswerTooLarge");
  });

  it("may be others for one request", async () => {
    const client = { limits: { answerBytes } };
    const answer = () => ({ status: 200, headers: {}, body: bytes });
    await using loopback = await startLoopback("HTTP/1.1", answer, { client });
    const asking = (limits: Partial<ExchangeLimits>): Partial<HttpRequest> => ({
      context: Context.empty.with(exchangeLimitsKey, limits),
    });
    assert.equal((await failure(loopback.send().then(text))).code, "AnswerTooLarge");
    for (const limits of [{ answerBytes: answerBytes + 1 }, noLimits, streamLimits(60_000)]) {
      const answered = await loopback.send(asking(limits));
      assert.equal((await text(answered)).length, answerBytes + 1);
    }
  });

  it("leave the connection for the next request where an answer keeps to them", async () => {
    const client = { limits: { answerBytes: answerBytes + 1 }, connections: 1 };
    const answer = () => ({ status: 200, headers: {}, body: bytes });
    await using loopback = await startLoopback("HTTP/1.1", answer, { client });
    for (let time = 0; time < 3; time++) await loopback.send().then(text);
  });

  it("let a stream last, and end it where it is silent", async () => {
    const pieces = 20;
    let sent = 0;
    await using server = await startRawServer((socket) =>
      onHead(socket, () => {
        socket.write(`${ok}transfer-encoding: chunked\r\n\r\n`);
        const timer = setInterval(() => {
          if (sent === pieces) return clearInterval(timer);
          sent += 1;
          socket.write("1\r\nx\r\n");
        }, deadlineMs / 10);
      }),
    );
    const origin = `http://127.0.0.1:${server.port}`;
    const limits = streamLimits(deadlineMs);
    await using client = createHttpClient({ origin, limits });
    const error = await failure(Promise.resolve(client.handler(request())).then(text));
    assert.equal(error.code, "TimedOut");
    assert.equal(sent, pieces);
  });

  it("end a stream that never begins", async () => {
    await using server = await startRawServer(() => {});
    const origin = `http://127.0.0.1:${server.port}`;
    await using client = createHttpClient({ origin, limits: streamLimits(deadlineMs) });
    const { code } = await failure(Promise.resolve(client.handler(request())));
    assert.equal(code, "DeadlineExceeded");
  });

  it("do not take a reader that is slow for a server that is silent", async () => {
    const limits = streamLimits(50);
    const chunks = Array.from({ length: 40 }, () => Buffer.alloc(64 * 1024));
    const answer = () => ({ status: 200, headers: {}, body: chunks });
    await using loopback = await startLoopback("HTTP/1.1", answer, { client: { limits } });
    const { body } = await loopback.send();
    assert.ok(typeof body === "function");
    let pauses = 3;
    let taken = 0;
    const { signal } = new AbortController();
    const write = (chunk: Uint8Array) => {
      taken += chunk.byteLength;
      return pauses === 0;
    };
    const drained = async () => {
      pauses -= 1;
      await new Promise((resolve) => setTimeout(resolve, 200));
    };
    await body({ signal, write, drained });
    assert.equal(taken, 40 * 64 * 1024);
    assert.equal(pauses, 0);
  });
});

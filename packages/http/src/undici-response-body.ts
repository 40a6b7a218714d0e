import type { Dispatcher } from "undici";
import { singleUse } from "./body.ts";
import { DiscardedError } from "./errors.ts";
import type { BodyWriter, Sink } from "./message.ts";

type Controller = Dispatcher.DispatchController;

/** The limit of unread data before the socket is paused. */
const unreadLimit = 64 * 1024;

/**
 * The body of a response that undici pushes. While the writer runs, chunks go to the sink, and a
 * full sink pauses the socket.
 */
export class UndiciResponseBody {
  readonly writer: BodyWriter = singleUse((sink) => this.#run(sink));
  readonly #controller: Controller;
  readonly #unread: Buffer[] = [];
  #unreadLength = 0;
  #sink: Sink | undefined;
  #waiting = false;
  readonly #done: PromiseWithResolvers<void> = Promise.withResolvers();
  #state: "open" | "ended" | "failed" = "open";

  constructor(controller: Controller) {
    this.#controller = controller;
    // The error is reported when the body is read.
    this.#done.promise.catch(() => {});
  }

  push(chunk: Buffer): void {
    if (this.#sink) {
      if (!this.#sink.write(chunk)) this.#waitForRoom(this.#sink);
      return;
    }
    this.#unread.push(chunk);
    this.#unreadLength += chunk.byteLength;
    if (this.#unreadLength >= unreadLimit) this.#controller.pause();
  }

  end(): void {
    if (this.#state === "open") this.#state = "ended";
    this.#done.resolve();
  }

  fail(error: unknown): void {
    if (this.#state === "open") this.#state = "failed";
    this.#done.reject(error);
  }

  #run(sink: Sink): void | Promise<void> {
    if (this.#state === "failed") return this.#done.promise;
    let room = true;
    for (const chunk of this.#unread) room = sink.write(chunk);
    this.#unread.length = 0;
    if (this.#state === "open") return this.#follow(sink, room);
  }

  async #follow(sink: Sink, room: boolean): Promise<void> {
    const onGone = () => this.#stop(sink.signal.reason);
    sink.signal.addEventListener("abort", onGone);
    this.#sink = sink;
    if (sink.signal.aborted) onGone();
    else if (!room) this.#waitForRoom(sink);
    // Asynchronously: another undici connection may be parsing on this stack.
    else if (this.#controller.paused) queueMicrotask(() => this.#controller.resume());
    try {
      await this.#done.promise;
    } finally {
      sink.signal.removeEventListener("abort", onGone);
    }
  }

  #waitForRoom(sink: Sink): void {
    // undici delivers buffered data even when it is paused and the peer closes.
    if (this.#waiting) return;
    this.#waiting = true;
    this.#controller.pause();
    const onRoom = () => {
      this.#waiting = false;
      this.#controller.resume();
    };
    sink.drained().then(onRoom, (reason) => this.#stop(reason));
  }

  #stop(reason: unknown): void {
    this.fail(reason);
    this.#controller.abort(new DiscardedError());
  }
}

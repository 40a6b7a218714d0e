import assert from "node:assert/strict";
import { createClientOver } from "@rookery/client";
import type { KubeObject, ObjectMeta, Resource } from "@rookery/kube";
import { FakeClock, settled } from "@rookery/testing";
import { createInformer, type Informer, type InformerOptions } from "../../src/cache/informer.ts";
import { allNamespaces, isInScope } from "../../src/scope/namespace-scope.ts";
import { createRecordingLogger } from "../logging/recording-logger.ts";
import { FakeApiServer, type FakeApiServerOptions, keyOf } from "./fake-api-server.ts";
import { RecordingHandler } from "./recording-handler.ts";

export const nests: Resource = {
  group: "test.rookery.dev",
  version: "v1",
  kind: "Nest",
  plural: "nests",
  singular: "nest",
  namespaced: true,
};

type Options = Omit<FakeApiServerOptions, "clock"> &
  Omit<Partial<InformerOptions<KubeObject>>, "clock" | "logger">;

/** An informer that runs against a FakeApiServer, with one handler. */
export class InformerFixture implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly logger = createRecordingLogger();
  readonly handler = new RecordingHandler();
  readonly server: FakeApiServer;
  readonly informer: Informer<KubeObject>;
  readonly #stop = new AbortController();
  readonly #isInScope: (metadata: ObjectMeta) => boolean;
  #running: Promise<void> | undefined;

  constructor(options: Options = {}) {
    const { scope = allNamespaces } = options;
    this.#isInScope = ({ namespace = "" }) => isInScope(scope, namespace);
    const { clock, logger } = this;
    this.server = new FakeApiServer({ ...options, clock });
    const listWatch = createClientOver(this.server.handler).resource<KubeObject>(nests);
    const defaults = { resource: nests, listWatch, random: () => 0.5 };
    this.informer = createInformer({ ...defaults, ...options, clock, logger });
    this.informer.addEventHandler(this.handler.handle);
  }

  /** Runs the informer until all that can happen without time passing has happened. */
  async start(): Promise<this> {
    this.#running = this.informer.run(this.#stop.signal);
    await this.settle();
    return this;
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await settled();
  }

  /** Lets time pass: by default as long as the longest back-off takes. */
  async pass(milliseconds = 60_000): Promise<void> {
    await this.clock.advance(milliseconds);
    await this.settle();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  get history(): readonly string[] {
    return this.handler.history;
  }

  /** The informer, and what its handler was told, are what is on the server and in the scope. */
  assertInSync(): void {
    const { objects } = this.server;
    const onServer = snapshot(objects.filter(({ metadata }) => this.#isInScope(metadata)));
    assert.deepEqual(snapshot(this.informer.list()), onServer);
    assert.deepEqual(snapshot([...this.handler.known.values()]), onServer);
    this.assertNoHandlerFailed();
  }

  assertNoHandlerFailed(): void {
    const failed = this.logger.lines.filter(({ message }) => message === "Event handler failed");
    assert.deepEqual(failed, []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

function snapshot(objects: readonly KubeObject[]): readonly (readonly [string, KubeObject])[] {
  return objects
    .map((object) => [keyOf(object), object] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

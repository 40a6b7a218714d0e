import type { Request } from "@rookery/runtime";
import { formatReference, type ManagedObjectReference } from "../vim/managed-object.ts";
import type { Properties } from "../vim/properties.ts";
import type { PropertyStream } from "../vim/property-stream.ts";

/** The pause after a watch that failed. */
const failurePauseMs = 2000;

/** A change of an object on a vCenter. */
export interface AwaitedChange {
  readonly object: ManagedObjectReference;
  readonly paths: readonly string[];
  /** Whether the change has happened; called first with the present properties. */
  readonly isOver: (properties: Properties) => boolean;
}

/**
 * Waits for changes on vCenters, and notifies of the objects to reconcile after them. Nothing is kept beyond this
 * process: a reconcile after a restart waits again.
 */
export class ChangeWatch {
  readonly #notify: (request: Request) => void;
  readonly #awaited = new Set<string>();

  constructor(notify: (request: Request) => void) {
    this.#notify = notify;
  }

  /**
   * Notifies once, also where the session ends before the change. Waits once for the same properties of one object.
   */
  await(request: Request, stream: PropertyStream, change: AwaitedChange): void {
    const properties = `${formatReference(change.object)} ${change.paths.join()}`;
    const key = `${request.namespace}/${request.name} ${properties}`;
    if (this.#awaited.has(key)) return;
    this.#awaited.add(key);
    const over = () => {
      if (this.#awaited.delete(key)) this.#notify(request);
    };
    const later = () => void setTimeout(over, failurePauseMs).unref();
    this.#watch(stream, change, over).catch(later);
  }

  async #watch(stream: PropertyStream, change: AwaitedChange, over: () => void): Promise<void> {
    const ended = Promise.withResolvers<void>();
    // The promise may reject before it is awaited: while the watch starts, which then fails as well.
    ended.promise.catch(() => {});
    const watching = await stream.watch({
      object: change.object,
      paths: change.paths,
      onChange: (properties) => {
        if (change.isOver(properties)) ended.resolve();
      },
      onEnd: ended.reject,
    });
    await ended.promise;
    over();
    await watching.stop();
  }
}

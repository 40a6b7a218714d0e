import type { Request } from "@rookery/runtime";
import { formatReference, type ManagedObjectReference } from "../vim/managed-object.ts";
import type { PropertyStream } from "../vim/property-stream.ts";
import type { Properties } from "../vim/property-watch.ts";

/** A vCenter that ends its answers at once is not asked again at once. */
const failurePauseMs = 2000;

/** What is waited for. */
export interface AwaitedChange {
  readonly object: ManagedObjectReference;
  readonly paths: readonly string[];
  /** Whether it has come about; the first time it is asked of what is already there. */
  readonly isOver: (properties: Properties) => boolean;
}

/**
 * Waits for changes on vCenters in the name of objects that are to be reconciled then. Nothing is
 * remembered beyond this process: a reconcile after a restart waits anew.
 */
export class ChangeWatch {
  readonly #notify: (request: Request) => void;
  readonly #awaited = new Set<string>();

  constructor(notify: (request: Request) => void) {
    this.#notify = notify;
  }

  /**
   * Notifies once, also where the session ends before it comes about. Waits once for the same
   * properties of one object.
   */
  await(request: Request, stream: PropertyStream, change: AwaitedChange): void {
    const what = `${formatReference(change.object)} ${change.paths.join()}`;
    const key = `${request.namespace}/${request.name} ${what}`;
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
    // It may end before anybody waits for that: while the watch begins, which then fails as well.
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

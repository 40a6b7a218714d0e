import type { GroupKind, KubeObject, Resource } from "@rookery/kube";
import type { Informer } from "../cache/informer.ts";
import { createInformerSource } from "../cache/informer-source.ts";
import {
  type Controller,
  type ControllerOptions,
  createController,
} from "../controller/controller.ts";
import {
  type EventHandler,
  enqueueRequestForObject,
  enqueueRequestForOwner,
  enqueueRequestsFromMapFunction,
  type MapFunction,
} from "../controller/event-handlers.ts";
import type { Predicate } from "../controller/predicates.ts";
import type { Request } from "../controller/request.ts";
import type { Result } from "../controller/result.ts";
import type { Source } from "../controller/source.ts";
import type { Lifecycle } from "../lifecycle/lifecycle.ts";
import {
  type ControllerParts,
  createReconcileContext,
  type ReconcileAttempt,
  type ReconcileContext,
} from "./reconcile-context.ts";

type Passed = "fairnessKey" | "needLeaderElection" | "reconcileTimeout" | "rateLimiter";

export interface ControllerForOptions<T extends KubeObject>
  extends Pick<ControllerOptions, Passed> {
  /** For logs and metrics; the kind in lower case by default. */
  readonly name?: string;
  /** The number of objects that are reconciled at a time, 1 by default. */
  readonly concurrency?: number;
  /** All of them must accept an event of the objects themselves. */
  readonly predicates?: readonly Predicate<T>[];
  /** Replaces the watch of the objects themselves, whose kind may not be served. */
  readonly source?: Source;
}

/** A lifecycle, or a function for a controller that has none. */
type Reconciler<Scope> =
  | Lifecycle<Scope>
  | ((request: Request, scope: Scope) => Result | Promise<Result>);

/** Collects the watches of a controller; `reconcile` makes the controller. */
export interface ControllerBuilder<T extends KubeObject> {
  /** Watches owned objects, and reconciles their controller, or all owners. */
  owns<W extends KubeObject>(
    watched: Resource | Informer<W>,
    options?: { readonly controllerOnly?: boolean },
  ): ControllerBuilder<T>;
  /** Watches other objects, and reconciles the objects that `map` returns. All predicates must accept an event. */
  watches<W extends KubeObject>(
    watched: Resource | Informer<W>,
    map: MapFunction<W>,
    ...predicates: readonly Predicate<W>[]
  ): ControllerBuilder<T>;
  /** Adds sources that are no informers, such as channels. */
  from(...sources: readonly Source[]): ControllerBuilder<T>;
  /** The scope of a reconcile is its context, or the result of `scopeOf`. */
  reconcile(reconciler: Reconciler<ReconcileContext<T>>): Controller;
  reconcile<Scope>(
    reconciler: Reconciler<Scope>,
    scopeOf: (context: ReconcileContext<T>) => Scope,
  ): Controller;
}

/** Starts to build a controller for the objects of a resource or an informer. */
export function controllerFor<T extends KubeObject>(
  watched: Resource | Informer<T>,
  parts: ControllerParts,
  options: ControllerForOptions<T> = {},
): ControllerBuilder<T> {
  return new Builder(watched, parts, options);
}

class Builder<T extends KubeObject> implements ControllerBuilder<T> {
  readonly #own: Resource | Informer<T>;
  readonly #parts: ControllerParts;
  readonly #options: ControllerForOptions<T>;
  readonly #sources: Source[] = [];

  constructor(
    watched: Resource | Informer<T>,
    parts: ControllerParts,
    options: ControllerForOptions<T>,
  ) {
    this.#own = watched;
    this.#parts = parts;
    this.#options = options;
    if (options.source) this.from(options.source);
    else this.#watch(watched, enqueueRequestForObject(), options.predicates);
  }

  owns<W extends KubeObject>(
    watched: Resource | Informer<W>,
    { controllerOnly = true } = {},
  ): this {
    const owner = this.#kind;
    return this.#watch<W>(watched, enqueueRequestForOwner({ owner, controllerOnly }));
  }

  watches<W extends KubeObject>(
    watched: Resource | Informer<W>,
    map: MapFunction<W>,
    ...predicates: readonly Predicate<W>[]
  ): this {
    return this.#watch(watched, enqueueRequestsFromMapFunction(map), predicates);
  }

  from(...sources: readonly Source[]): this {
    this.#sources.push(...sources);
    return this;
  }

  reconcile<Scope>(
    reconciler: Reconciler<Scope>,
    scopeOf: (context: ReconcileContext<T>) => Scope = (context) => context as Scope,
  ): Controller {
    const {
      predicates: _,
      source: __,
      concurrency,
      name = this.#kind.kind.toLowerCase(),
      ...options
    } = this.#options;
    const { metrics, logger } = this.#parts;
    const scope = (attempt: ReconcileAttempt) =>
      scopeOf(createReconcileContext(this.#own, this.#parts, attempt));
    const { reconcile, reportError } = lifecycleOf(reconciler);
    return createController({
      ...options,
      name,
      sources: this.#sources,
      metrics: metrics.controller(name),
      logger,
      ...(concurrency !== undefined && { maxConcurrentReconciles: concurrency }),
      reconcile: (request, signal, logger) =>
        reconcile(request, scope({ request, signal, logger })),
      ...(reportError && {
        reportError: (failed) => reportError(failed, scope({ ...failed, logger })),
      }),
    });
  }

  get #kind(): GroupKind {
    return "resource" in this.#own ? this.#own.resource : this.#own;
  }

  #watch<W extends KubeObject>(
    watched: Resource | Informer<W>,
    handler: EventHandler<W>,
    predicates: readonly Predicate<W>[] = [],
  ): this {
    const isInformer = "resource" in watched;
    const informer = isInformer ? watched : this.#parts.cache.informerFor<W>(watched);
    return this.from(createInformerSource({ informer, handler, predicates }));
  }
}

function lifecycleOf<Scope>(reconciler: Reconciler<Scope>): Lifecycle<Scope> {
  if (typeof reconciler !== "function") return reconciler;
  return { reconcile: async (request, scope) => reconciler(request, scope) };
}

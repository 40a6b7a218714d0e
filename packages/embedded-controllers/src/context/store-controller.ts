import { isAlreadyExists, isConflict, isNotFound, type StoreReader } from "@rookery/kube";
import {
  type Controller,
  createController,
  createStoreSource,
  done,
  type Result,
  type Source,
} from "@rookery/runtime";
import type { ControllerContext } from "./context.ts";

type RequestsOf = Parameters<typeof createStoreSource>[0]["requestsOf"];

export interface StoreControllerOptions {
  readonly name: string;
  readonly maxConcurrentReconciles?: number;
  /** The requests for an entry, by the resources whose entries are watched. */
  readonly watches: Readonly<Record<string, RequestsOf>>;
  /** Further sources, which start first. */
  readonly sources?: readonly Source[];
  /** Nothing instead of a result means that the request is done. */
  readonly reconcile: (
    key: { readonly namespace: string; readonly name: string },
    signal: AbortSignal,
  ) => Promise<Result | undefined>;
}

/**
 * A controller of objects in the store. A reconcile whose write was overtaken is done: the other write
 * is an event, which starts the next reconcile.
 */
export function createStoreController(
  { store, logger }: { readonly store: StoreReader } & Pick<ControllerContext, "logger">,
  { watches, sources = [], reconcile, ...options }: StoreControllerOptions,
): Controller {
  const watched = Object.entries(watches).map(([resource, requestsOf]) =>
    createStoreSource({ store, resource, requestsOf }),
  );
  return createController({
    ...options,
    logger,
    sources: [...sources, ...watched],
    async reconcile({ namespace = "", name }, signal) {
      try {
        return (await reconcile({ namespace, name }, signal)) ?? done;
      } catch (error) {
        if (!isOvertaken(error)) throw error;
        return done;
      }
    },
  });
}

/** Whether a write failed because of an earlier write by someone else. */
export function isOvertaken(error: unknown): boolean {
  return isAlreadyExists(error) || isConflict(error) || isNotFound(error);
}

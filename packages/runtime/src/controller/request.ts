import type { ObjectKey } from "@rookery/kube";
import type { WorkQueue } from "../queue/work-queue.ts";

/** The key of the object to reconcile; the events that led to the request are not part of it. */
export type Request = ObjectKey;

/** The part of a controller's queue that handlers and sources use. */
export type RequestQueue = Pick<WorkQueue<Request>, "add" | "addAfter" | "addRateLimited">;

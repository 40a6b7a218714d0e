import type { ObjectKey } from "@rookery/kube";
import type { WorkQueue } from "../queue/work-queue.ts";

/** The object to reconcile; it says nothing of what happened to it. */
export type Request = ObjectKey;

/** What handlers and sources see of a controller's queue. */
export type RequestQueue = Pick<WorkQueue<Request>, "add" | "addAfter" | "addRateLimited">;

import {
  createEventBroadcaster,
  type EventBroadcaster,
  eventResource,
  type KubeEvent,
} from "@rookery/runtime";
import type { ControllerContext } from "./context.ts";

/** Writes the events of controllers; it has to be started. */
export function broadcasterOf({ client, logger, now }: ControllerContext): EventBroadcaster {
  const events = client.resource<KubeEvent>(eventResource);
  return createEventBroadcaster({ events, logger, wallClock: now });
}

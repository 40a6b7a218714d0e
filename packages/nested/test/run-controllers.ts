import type { Client } from "@rookery/client";
import type { setupNested } from "@rookery/nested";
import {
  createCache,
  createEventBroadcaster,
  createManager,
  createMetrics,
  eventResource,
  silentLogger,
} from "@rookery/runtime";

type Parts = Parameters<typeof setupNested>[0];

/** Controllers in a manager of this process, until they are disposed of. */
export async function runControllers(
  client: Client,
  setup: (parts: Parts) => Promise<AsyncDisposable>,
): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const stop = new AbortController();
  const cache = createCache({ client });
  const manager = createManager({});
  manager.add(cache);
  const events = createEventBroadcaster({ events: client.resource(eventResource) });
  manager.add(events);
  const recorder = events.recorder("rookery.dev/nested");
  const metrics = createMetrics({ processMetrics: false });
  const parts = { client, cache, manager, metrics, recorder, logger: silentLogger };
  stack.use(await setup(parts));
  const running = manager.start(stop.signal);
  stack.defer(async () => {
    stop.abort();
    await running;
  });
  return stack.move();
}

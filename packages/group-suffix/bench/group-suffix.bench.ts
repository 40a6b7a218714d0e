import type { Bench } from "@rookery/testing";
import { jsonWorks } from "./group-suffix/json.ts";
import { memoryWorks } from "./group-suffix/memory.ts";
import { protobufWorks } from "./group-suffix/protobuf.ts";
import { requestWorks } from "./group-suffix/requests.ts";
import { watchWorks } from "./group-suffix/watch.ts";

/**
 * What renaming API groups costs, beside decoding, renaming and encoding again, and beside passing
 * bytes on, all by the processor's time. Each file in `group-suffix/` brings its works: a further one
 * is a further line here.
 */
export async function createBench(): Promise<Bench & AsyncDisposable> {
  const [first, ...rest] = jsonWorks();
  return {
    rounds: 5,
    works: [
      first,
      ...rest,
      ...watchWorks(),
      ...(await protobufWorks()),
      ...memoryWorks(),
      ...requestWorks(),
    ],
    [Symbol.asyncDispose]: async () => {},
  };
}

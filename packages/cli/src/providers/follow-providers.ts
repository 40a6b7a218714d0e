import { setTimeout as delay } from "node:timers/promises";
import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { CommandIo } from "../command.ts";
import { ProvidersError } from "../errors.ts";
import type { Judgement } from "../progress/judgement.ts";
import { createProgressPrinter, type ProgressLine } from "../progress/progress-printer.ts";
import { lookMilliseconds } from "../progress/wait-until.ts";
import { findProvider, formatProviderKey, type ProviderKey } from "./declared-providers.ts";

export interface FollowOptions {
  readonly client: Client;
  readonly io: CommandIo;
  readonly judge: (provider: Provider | undefined, key: ProviderKey) => Judgement;
  readonly timeoutSeconds: number;
  /** The time that a failure must last, as the operator may not have seen its end; by default 0. */
  readonly patienceSeconds?: number;
  /** The action in errors: "install the providers". */
  readonly verb: string;
}

/**
 * Prints the progress of providers until all are done. Throws ProvidersError with the state of the
 * others when one has failed, or at the time limit.
 */
export async function followProviders(
  keys: readonly ProviderKey[],
  options: FollowOptions,
): Promise<void> {
  const { client, io, judge, timeoutSeconds, patienceSeconds = 0, verb } = options;
  if (keys.length === 0) return;
  const printer = createProgressPrinter(io);
  const end = Date.now() + timeoutSeconds * 1000;
  let lastWell = Date.now();
  for (;;) {
    const lines = await Promise.all(
      keys.map(async (key): Promise<ProgressLine> => {
        const judgement = judge(await findProvider(client, key), key);
        return { name: formatProviderKey(key), judgement };
      }),
    );
    printer.show(lines);
    const open = lines.filter(({ judgement }) => judgement.state !== "done");
    const isFailing = open.some(({ judgement }) => judgement.state === "failed");
    if (!isFailing) lastWell = Date.now();
    const hasFailed = isFailing && Date.now() - lastWell >= patienceSeconds * 1000;
    if (open.length > 0 && !hasFailed && Date.now() < end) {
      await delay(lookMilliseconds);
      continue;
    }
    printer.end();
    if (open.length === 0) return;
    const problems = open.map(({ name, judgement }) => `${name}: ${judgement.text}`);
    const why = hasFailed ? "" : ` within ${timeoutSeconds} s (the operator continues)`;
    throw new ProvidersError(`${verb}${why}`, problems);
  }
}

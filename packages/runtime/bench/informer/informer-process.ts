import { setTimeout as delay } from "node:timers/promises";
import { now, residentMemory, type SyncReport, type UpdatesReport } from "./report.ts";

/** What a program does with its informer. */
export interface InformerProcess {
  /** Called for each object of the initial list. */
  readonly onInitial: () => void;
  /** Called for each update, with the annotation that says when it was sent. */
  readonly onUpdate: (sent: string | undefined) => void;
  /** Prints the first report. */
  synced(): Promise<void>;
  /** Resolves when all updates have come or standard input ends, after the second report. */
  ended(): Promise<void>;
}

const settle = 2000;

/** The frame of a program that measures one informer; the clock runs from this call on. */
export function startInformerProcess(options: { readonly updates: number }): InformerProcess {
  const started = performance.now();
  const complete = Promise.withResolvers<void>();
  const latencies: number[] = [];
  let objects = 0;
  process.stdin.once("end", () => complete.resolve()).resume();
  return {
    onInitial: () => void objects++,
    onUpdate(sent) {
      latencies.push(now() - Number(sent));
      if (latencies.length === options.updates) complete.resolve();
    },
    async synced() {
      const milliseconds = performance.now() - started;
      await delay(settle);
      print({ objects, milliseconds, ...residentMemory() });
    },
    async ended() {
      await complete.promise;
      print({ latencies });
    },
  };
}

function print(report: SyncReport | UpdatesReport): void {
  console.log(JSON.stringify(report));
}

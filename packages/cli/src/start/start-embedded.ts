import { writeSync } from "node:fs";
import { resolve } from "node:path";
import { createClient, loadConfig } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import { lockStore } from "@rookery/local";
import { collectGarbage, createLogger } from "@rookery/runtime";
import type { CommandIo } from "../command.ts";
import { LocalFolderError, LocalRunError } from "../errors.ts";
import {
  isDataFolder,
  isFullDisk,
  prepareFolder,
  removeData,
  whyNot,
} from "../local/data-folder.ts";
import { endRun } from "../local/end-run.ts";
import { listenForEnd } from "../local/end-signal.ts";
import { usualPort } from "../local/flags.ts";
import { createImagePrograms } from "../local/image-programs.ts";
import { keptImages } from "../local/kept-images.ts";
import { type LogFile, openLogFile } from "../local/log-file.ts";
import { podsWarning, withPortFlag } from "../local/messages.ts";
import { currentRun, type LocalRun, lastRun } from "../local/run-file.ts";
import { runLocal } from "../local/run-local.ts";
import { type ComeUpOptions, comeUp } from "./come-up.ts";
import { leaveBoundRoot } from "./ordinary-user.ts";
import { findPodProgram } from "./pod-program.ts";
import { formatSummary, rookeryWords } from "./summary.ts";

export interface EmbeddedOptions extends Pick<ComeUpOptions, "image" | "waitMs"> {
  readonly data: string;
  readonly port: number | undefined;
  /** Removes the data of earlier starts. */
  readonly fresh: boolean;
}

/** Runs an embedded Kubernetes with the plane on it in this process, until it is asked to end. */
export async function startEmbedded(options: EmbeddedOptions, io: CommandIo): Promise<void> {
  const data = resolve(options.data);
  rejectSecond(data);
  await leaveBoundRoot(data, io);
  if (options.fresh) await removeFormer(data);
  await prepareFolder(data);
  const isFirst = lastRun(data) === undefined;
  const log = openLogFile(data);
  io.write(`${isFirst ? "Starting" : "Starting again"}, with data in ${data}\n`);
  io.writeError(podsWarning());
  const since = { moment: performance.now(), date: new Date() };
  const ready = async (run: LocalRun, end: AbortSignal) => {
    io.write(`Kubernetes ${run.version} is at ${run.url}\n`);
    await using client = createClient(await loadConfig({ path: run.kubeconfig }));
    const { image, waitMs } = options;
    const rookery = rookeryWords();
    const summary: ComeUpOptions["summary"] = (states) =>
      describeStay(data) +
      formatSummary({ kubeconfig: run.kubeconfig, rookery, isEmbedded: true, states }, io);
    const how = { since, isEmbedded: true, goesOn: true, summary };
    await comeUp({ client, image, waitMs, end, ...how }, io);
    await collectGarbage();
  };
  using end = listenForEnd();
  const write = logWriter(log, data, io);
  const report = (text: string) => {
    write(`${text}\n`);
    io.write(`${text}\n`);
  };
  const main = await findPodProgram({ env: io.env, signal: end.signal, report });
  if (end.signal.aborted) return;
  await run(data, { port: options.port, write, main, onReady: ready }, io);
}

interface RunOptions {
  readonly port: number | undefined;
  /** Writes to the log. */
  readonly write: (text: string) => void;
  /** The file that pods of the plane run. */
  readonly main: string | undefined;
  readonly onReady: (run: LocalRun, end: AbortSignal) => Promise<void>;
}

async function run(data: string, options: RunOptions, io: CommandIo): Promise<void> {
  const { port, write, main, onReady } = options;
  try {
    await runLocal({
      data,
      port: port ?? lastRun(data)?.port ?? usualPort,
      images: createImagePrograms({
        env: io.env,
        programs: () => keptImages(data),
        main: async () => main,
      }),
      io: { writeError: write },
      logger: createLogger({ output: { write } }),
      async onReady(started, end) {
        end.addEventListener("abort", () => io.write("\nEnding all of it; data stays\n"));
        await onReady(started, end);
      },
    });
  } catch (error) {
    const why = messageOf(error);
    if (isFullDisk(error)) throw new LocalFolderError(data, whyNot({ code: "ENOSPC" }), error);
    if (withPortFlag(why) === why) throw error;
    throw new LocalRunError(withPortFlag(why), { cause: error });
  }
}

/** Writes to the log, and reports once when the disk is full, and once when it has room again. */
function logWriter({ descriptor }: LogFile, data: string, io: CommandIo): (text: string) => void {
  let hasRoom = true;
  const report = (isWritten: boolean, text: string) => {
    if (hasRoom !== isWritten) io.write(`\n${text}\n`);
    hasRoom = isWritten;
  };
  return (text) => {
    try {
      writeSync(descriptor, text);
      report(true, `There is room again on the disk of ${data}`);
    } catch (error) {
      if (!isFullDisk(error)) throw error;
      report(
        false,
        `The disk of ${data} is full: stored data is safe, and writes fail until you make room`,
      );
    }
  };
}

function rejectSecond(data: string): void {
  const running = currentRun(data);
  if (!running) return;
  throw new LocalRunError(
    `could not start: process ${running.pid} runs with the data in ${data} already, at ${running.url}; end it by ` +
      `Ctrl-C or "${rookeryWords()} local down --data ${data}", or take another folder by --data and another port by --port`,
  );
}

/** Removes the data of earlier starts, after their pods were ended. */
async function removeFormer(data: string): Promise<void> {
  if (!(await isDataFolder(data))) return;
  await endRun(data, 0);
  using _ = lockStore(data);
  await removeData(data);
}

function describeStay(data: string): string {
  return (
    `\nIt runs until Ctrl-C; data stays in ${data}, and the next start finds it again (--fresh begins ` +
    "anew).\n"
  );
}

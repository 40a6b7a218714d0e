import { join } from "node:path";
import { writeBundle } from "@rookery/packaging";
import {
  type Bench,
  createTemporaryFolder,
  ensureGoProgram,
  type Side,
  type Work,
} from "@rookery/testing";
import { measureFloor } from "./install/measure-floor.ts";
import { measureInstall } from "./install/measure-install.ts";
import { clusterApiOperator, type OperatorProgram, rookeryOperator } from "./install/programs.ts";
import type { InstallReport } from "./install/report.ts";

/** The real core, kubeadm bootstrap and control plane providers, beside cluster-api-operator. */
export async function createBench(): Promise<Bench & AsyncDisposable> {
  const path = await ensureGoProgram(join(import.meta.dirname, "go", "cluster-api-operator"));
  const folder = await createTemporaryFolder("bundle");
  await writeBundle(folder.path);
  const ours = new InstallRuns(await rookeryOperator(folder.path));
  const theirs = new InstallRuns(clusterApiOperator(path));
  const work = (name: string, figure: keyof InstallReport, unit: string): Work => ({
    work: name,
    unit,
    better: "less",
    ours: ours.side(figure),
    peers: [theirs.side(figure)],
  });
  return {
    rounds: 3,
    works: [
      { ...work("three real providers, from apply to ready", "milliseconds", "ms"), goal: 2 },
      {
        work: "the same objects by bare requests: no operator is faster",
        unit: "ms",
        better: "less",
        ours: { name: "the server alone", round: measureFloor },
        peers: [theirs.side("milliseconds"), ours.side("milliseconds")],
      },
      { ...work("resident memory at most", "resident", "bytes"), goal: 1 },
      work("processor time of the operator", "processor", "ms"),
      work("writes of an install", "writes", "writes"),
      { ...work("writes after a restart with nothing to do", "idleWrites", "writes"), goal: 1 },
    ],
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** The runs of one operator, each of which gives all figures. */
class InstallRuns {
  readonly #program: OperatorProgram;
  readonly #reports: InstallReport[] = [];

  constructor(program: OperatorProgram) {
    this.#program = program;
  }

  /** Runs the operator where another figure of that round has not done so. */
  side(figure: keyof InstallReport): Side {
    let round = 0;
    return {
      name: this.#program.name,
      round: async () => {
        const report = this.#reports[round] ?? (await this.#run());
        round++;
        return report[figure];
      },
    };
  }

  async #run(): Promise<InstallReport> {
    const report = await measureInstall(this.#program);
    this.#reports.push(report);
    console.error(`${this.#program.name}: ${JSON.stringify(report)}`);
    return report;
  }
}

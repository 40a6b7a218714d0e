import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import type { CommandIo } from "../command.ts";
import { defineCommand } from "../define-command.ts";
import { LocalRunError } from "../errors.ts";
import { prepareFolder } from "../local/data-folder.ts";
import { listenForEnd } from "../local/end-signal.ts";
import { dataFlag, parsePort, parseSeconds, usualPort } from "../local/flags.ts";
import { createImagePrograms } from "../local/image-programs.ts";
import { keepImages, keptImages, type NamedPrograms } from "../local/kept-images.ts";
import { podsWarning } from "../local/messages.ts";
import { currentRun, type LocalRun, lastRun } from "../local/run-file.ts";
import { startBackground } from "../local/start-background.ts";
import { type Form, formatFor, outputFlag } from "../output/forms.ts";

interface Options {
  readonly data: string;
  readonly port?: number;
  readonly image: NamedPrograms;
  readonly wait: number;
  readonly foreground?: boolean;
  readonly output?: Form;
}

/** Starts the embedded Kubernetes with its node in the background, or finds the running one. */
export const run = defineCommand<Options>({
  description:
    "Starts a small Kubernetes with a node whose pods are processes of this machine, and leaves it " +
    "running in the background. It is for development and tests; a second start finds all data.",
  examples: `  rookery local up                                     on port 6443, for this user
  eval "$(rookery local up | grep ^export)"            and kubectl uses it
  rookery local up --data ./cluster --port 0           a second one, on any free port
  rookery local up --image web=/usr/local/bin/web      pods of the image "web" run this program
  rookery local up -o json                             its address and files, for programs`,
  declare: (command, io) =>
    dataFlag(outputFlag(command, ["text", "json", "yaml"]), io.env)
      .option(
        "--port <port>",
        `the port to listen on, where 0 is any free one; the last one, or ${usualPort}`,
        parsePort,
      )
      .option(
        "--image <name=program>",
        "the program that pods of an image run; may be given more than once",
        parseImage,
        {},
      )
      .option("--wait <seconds>", "how long it may take to be ready", parseSeconds, 120)
      .option("--foreground", "stay in the foreground, until it is interrupted"),
  async run(options, io) {
    const data = resolve(options.data);
    const report = (run: LocalRun, how: string) =>
      io.write(formatFor(options.output, run, () => describe(run, how)));
    await prepareFolder(data);
    keepImages(data, options.image);
    const port = options.port ?? lastRun(data)?.port ?? usualPort;
    if (options.foreground) {
      io.writeError(podsWarning());
      return runInForeground({ data, port }, io, (run) => report(run, "is ready"));
    }
    const running = currentRun(data);
    if (running) return report(withPort(running, options.port), "runs already");
    io.writeError(podsWarning());
    const args = ["--data", data, "--port", String(port)];
    report(await startBackground({ data, args, waitMs: options.wait * 1000 }), "is ready");
  },
});

async function runInForeground(
  { data, port }: { readonly data: string; readonly port: number },
  io: CommandIo,
  onReady: (run: LocalRun) => void,
): Promise<void> {
  const { env } = io;
  using end = listenForEnd();
  // Only a pod of Rookery's own image needs the bundle.
  let main: Promise<string | undefined> | undefined;
  const findMain = () => {
    main ??= import("../start/pod-program.ts").then(({ findPodProgram }) =>
      findPodProgram({ env, signal: end.signal, report: (text) => io.writeError(`${text}\n`) }),
    );
    return main;
  };
  const images = createImagePrograms({ env, programs: () => keptImages(data), main: findMain });
  // Imported here, as a start in the background does not need it.
  const { runLocal } = await import("../local/run-local.ts");
  await runLocal({ data, port, images, io, onReady });
}

/** The running one. Throws LocalRunError where it has another port, by which clients know it. */
function withPort(running: LocalRun, port: number | undefined): LocalRun {
  if (port === undefined || port === 0 || port === running.port) return running;
  throw new LocalRunError(
    `could not listen on port ${port}: it runs already, on port ${running.port}; end it by "rookery local down" first`,
  );
}

function describe({ url, kubeconfig, version, node, pid }: LocalRun, how: string): string {
  return `Kubernetes ${version} ${how} at ${url}, with the node ${node} (process ${pid})
export KUBECONFIG=${kubeconfig}
Then "kubectl get nodes" shows the node. "rookery local status" prints more, "rookery local down" stops it and keeps its data.
`;
}

function parseImage(text: string, known: NamedPrograms): NamedPrograms {
  const [, name, path] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || path === undefined) {
    throw new InvalidArgumentError("it is a name and a program, such as web=/usr/bin/web");
  }
  return { ...known, [name]: resolve(path) };
}

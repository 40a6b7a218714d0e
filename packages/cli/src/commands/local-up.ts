import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import type { CommandIo } from "../command.ts";
import { LocalRunError } from "../errors.ts";
import { prepareFolder } from "../local/data-folder.ts";
import { listenForEnd } from "../local/end-signal.ts";
import { defaultFolder, parsePort, parseSeconds } from "../local/flags.ts";
import { createImagePrograms } from "../local/image-programs.ts";
import { keepImages, keptImages, type NamedPrograms } from "../local/kept-images.ts";
import { podsWarning } from "../local/pods-warning.ts";
import { currentRun, type LocalRun, lastRun } from "../local/run-file.ts";
import { startBackground } from "../local/start-background.ts";
import { type Form, formatValue, isForPrograms, outputFlag } from "../output/forms.ts";
import { parseArguments } from "../parse-arguments.ts";

interface UpFlags {
  readonly data: string;
  readonly port?: number;
  readonly image: NamedPrograms;
  readonly wait: number;
  readonly foreground?: boolean;
  readonly output?: Form;
}

const examples = `
Examples:
  rookery local up                                     on port 6443, for this user
  eval "$(rookery local up | grep ^export)"            and kubectl uses it
  rookery local up --data ./cluster --port 0           a second one, on any free port
  rookery local up --image web=/usr/local/bin/web      pods of the image "web" run this program
  rookery local up -o json                             where it is, for programs`;

const usualPort = 6443;

/** Starts the embedded Kubernetes with its node in the background, or finds the one that runs. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const flags = parseArguments(args, io, (command) =>
    outputFlag(command, ["text", "json", "yaml"])
      .name("rookery local up")
      .description(
        "Starts a small Kubernetes with a node whose pods are processes of this machine, and leaves it " +
          "running in the background. It is for development and tests; a second start finds all data.",
      )
      .option("--data <folder>", "where its data stays", defaultFolder(io.env))
      .option(
        "--port <port>",
        `the port to listen on, where 0 takes any free one; the last one, or ${usualPort}`,
        parsePort,
      )
      .option(
        "--image <name=program>",
        "what runs for an image; may be given more than once",
        parseImage,
        {},
      )
      .option("--wait <seconds>", "how long it may take to be ready", parseSeconds, 120)
      .option("--foreground", "stay here instead, until it is interrupted")
      .addHelpText("after", examples),
  ).opts<UpFlags>();
  const data = resolve(flags.data);
  const tell = (run: LocalRun, how: string) =>
    io.write(isForPrograms(flags.output) ? formatValue(run, flags.output) : described(run, how));
  await prepareFolder(data);
  keepImages(data, flags.image);
  const port = flags.port ?? lastRun(data)?.port ?? usualPort;
  if (flags.foreground) {
    io.writeError(podsWarning());
    return stay({ ...flags, data, port }, io, (run) => tell(run, "is ready"));
  }
  const running = currentRun(data);
  if (running) return tell(found(running, flags), "runs already");
  io.writeError(podsWarning());
  const given = ["--data", data, "--port", String(port)];
  const started = await startBackground({ data, args: given, waitMs: flags.wait * 1000 });
  tell(started, "is ready");
}

async function stay(
  flags: UpFlags & { readonly port: number },
  io: CommandIo,
  onReady: (run: LocalRun) => void,
): Promise<void> {
  const { data, port } = flags;
  const { env } = io;
  using end = listenForEnd();
  // When a pod asks for it: who has none of our own image needs no bundle.
  let main: Promise<string | undefined> | undefined;
  const findMain = () => {
    main ??= import("../start/pod-program.ts").then(({ findPodProgram }) =>
      findPodProgram({ env, signal: end.signal, tell: (text) => io.writeError(`${text}\n`) }),
    );
    return main;
  };
  const images = createImagePrograms({ env, programs: () => keptImages(data), main: findMain });
  // Loaded only here: who starts it in the background needs nothing of it.
  const { runLocal } = await import("../local/run-local.ts");
  await runLocal({ data, port, images, io, onReady });
}

/** What runs keeps its port: clients know it by that. */
function found(running: LocalRun, { port }: UpFlags): LocalRun {
  if (port === undefined || port === 0 || port === running.port) return running;
  throw new LocalRunError(
    `could not listen on port ${port}: it runs already, on port ${running.port}; end it by "rookery local down" first`,
  );
}

function described({ url, kubeconfig, version, node, pid }: LocalRun, how: string): string {
  return `Kubernetes ${version} ${how} at ${url}, with the node ${node} (process ${pid})
export KUBECONFIG=${kubeconfig}
Then "kubectl get nodes" shows the node. "rookery local status" tells more, "rookery local down" ends it and keeps its data.
`;
}

function parseImage(text: string, known: NamedPrograms): NamedPrograms {
  const [, name, path] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || path === undefined) {
    throw new InvalidArgumentError("it is a name and a program, such as web=/usr/bin/web");
  }
  return { ...known, [name]: resolve(path) };
}

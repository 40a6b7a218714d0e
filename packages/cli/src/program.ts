import packageJson from "../package.json" with { type: "json" };
import { type CommandIo, type CommandSpec, commands } from "./command.ts";
import { HelpShown, UsageError } from "./errors.ts";

/**
 * Runs the `rookery` command line; without arguments it says what there is. Returns the exit code:
 * 1 after a failure, 2 where the arguments are wrong.
 */
export async function rookery(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    await dispatch(args, io);
    return 0;
  } catch (error) {
    if (error instanceof HelpShown) return 0;
    io.writeError(`rookery: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function dispatch(args: readonly string[], io: CommandIo): Promise<void> {
  const [first = "--help"] = args;
  if (first === "--version") return io.write(`${packageJson.version}\n`);
  if (["--help", "-h", "help"].includes(first)) return io.write(overview());
  const spec = findCommand(args);
  if (!spec) {
    throw new UsageError(`there is no command "${first}". "rookery --help" lists the commands.`);
  }
  const { run } = await spec.load();
  await run(args.slice(words(spec).length), io);
}

/** Of the commands that the arguments begin with, the one with the longest name. */
function findCommand(args: readonly string[]): CommandSpec | undefined {
  return commands
    .filter((spec) => words(spec).every((word, index) => args[index] === word))
    .toSorted((a, b) => words(b).length - words(a).length)[0];
}

const words = ({ name }: CommandSpec): readonly string[] => name.split(" ");

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  rookery ${name.padEnd(width)}  ${summary}`);
  return `Rookery ${packageJson.version}: many Cluster API tenants on one Kubernetes

The operator and the providers run on any Kubernetes that you have. For development and tests there is
one that needs nothing but Node: "rookery local up". What there is:

${lines.join("\n")}

In a clone, "npm start -- <command>" or "npx rookery <command>". Read on in README.md.
`;
}

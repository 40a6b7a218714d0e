import { Command } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { type CommandSpec, commands } from "./command.ts";

type Write = (text: string) => void;

/** Runs the `rookery` command line. Without arguments it says what there is. */
export async function rookery(args: readonly string[], write: Write): Promise<void> {
  if (args.length === 0) return write(overview());
  const program = new Command("rookery")
    .description("Many Cluster API tenants on one Kubernetes")
    .version(packageJson.version)
    .configureOutput({ writeOut: write })
    .showHelpAfterError("rookery --help lists the commands");
  for (const spec of commands) addCommand(program, spec, write);
  await program.parseAsync(args, { from: "user" });
}

function addCommand(program: Command, spec: CommandSpec, write: Write): void {
  program
    .command(spec.name)
    .description(spec.summary)
    .action(async () => {
      const { run } = await spec.load();
      write(await run());
    });
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  rookery ${name.padEnd(width)}  ${summary}`);
  return `Rookery ${packageJson.version}: many Cluster API tenants on one Kubernetes

This is the ground of it. The embedded Kubernetes, the operator and the providers are not here yet;
when they are, this command will bring them up. What there is:

${lines.join("\n")}

In a clone, "npm start -- <command>" or "npx rookery <command>". Read on in README.md.
`;
}

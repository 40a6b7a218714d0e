import { Argument } from "commander";
import type { CommandIo } from "../command.ts";
import { bashScript } from "../completion/scripts/bash.ts";
import { fishScript } from "../completion/scripts/fish.ts";
import { zshScript } from "../completion/scripts/zsh.ts";
import { parseArguments } from "../parse-arguments.ts";

const scripts: Readonly<Record<string, string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const examples = `
Examples:
  source <(rookery completion bash)                                       in this shell, or in ~/.bashrc
  rookery completion zsh > "\${fpath[1]}/_rookery"                         for every new zsh
  rookery completion fish > ~/.config/fish/completions/rookery.fish       for every new fish

kubectl completes "kubectl rookery" by itself, where kubectl_complete-rookery is on the PATH.`;

/** Prints a script for a shell, which asks this command at each press of the Tab key. */
export function run(args: readonly string[], io: CommandIo): void {
  const [shell = ""] = parseArguments(args, io, (command) =>
    command
      .name("rookery completion")
      .description(
        "Prints what lets a shell complete commands, flags, their values, and names of contexts, namespaces, " +
          "clusters and providers.",
      )
      .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(scripts)))
      .addHelpText("after", examples),
  ).args;
  io.write(scripts[shell] ?? "");
}

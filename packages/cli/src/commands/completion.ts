import { Argument } from "commander";
import { bashScript } from "../completion/scripts/bash.ts";
import { fishScript } from "../completion/scripts/fish.ts";
import { zshScript } from "../completion/scripts/zsh.ts";
import { defineCommand } from "../define-command.ts";

const scripts: Readonly<Record<string, string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Prints a script for a shell, which calls this command whenever the user presses Tab. */
export const run = defineCommand({
  description:
    "Prints a script by which a shell completes commands, flags, their values, and names of contexts, " +
    "namespaces, clusters and providers.",
  examples: `  source <(rookery completion bash)                                       in this shell, or in ~/.bashrc
  rookery completion zsh > "\${fpath[1]}/_rookery"                         for every new zsh
  rookery completion fish > ~/.config/fish/completions/rookery.fish       for every new fish

kubectl completes "kubectl rookery" by itself, where kubectl_complete-rookery is on the PATH.`,
  declare: (command) =>
    command.addArgument(new Argument("<shell>", "the shell").choices(Object.keys(scripts))),
  run: (_, io, [shell = ""]) => io.write(scripts[shell] ?? ""),
});

import type { Command } from "commander";
import type { CommandIo } from "../command.ts";
import { UsageError } from "../errors.ts";
import { type KubeFlags, kubeFlags } from "../kube-flags.ts";
import { type Form, outputFlag } from "../output/forms.ts";
import { parseArguments } from "../parse-arguments.ts";

interface GetFlags extends KubeFlags {
  readonly allNamespaces?: boolean;
  readonly output?: Form;
}

export interface GetArguments {
  /** Only these; all where there are none. */
  readonly names: readonly string[];
  readonly flags: GetFlags;
}

interface About {
  /** "clusters": the word behind `rookery get`. */
  readonly what: string;
  readonly description: string;
  readonly examples: string;
}

/** What all commands take that list something. Errors: UsageError, HelpShown. */
export function readGetArguments(
  args: readonly string[],
  io: CommandIo,
  about: About,
): GetArguments {
  const command = parseArguments(args, io, (one) => declare(one, about));
  const flags = command.opts<GetFlags>();
  if (flags.allNamespaces && flags.namespace !== undefined) {
    throw new UsageError("--namespace and --all-namespaces do not go together.");
  }
  return { names: command.args, flags };
}

function declare(command: Command, { what, description, examples }: About): Command {
  const named = kubeFlags(command.name(`rookery get ${what}`).argument("[names...]", "only these"))
    .description(description)
    .option("-A, --all-namespaces", "of all namespaces");
  return outputFlag(named, ["table", "wide", "json", "yaml"]).addHelpText(
    "after",
    `\nExamples:\n${examples}`,
  );
}

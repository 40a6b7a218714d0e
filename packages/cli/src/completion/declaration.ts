import type { Command, Option } from "commander";
import type { CommandIo, CommandSpec } from "../command.ts";
import { runCommand } from "../help/find-commands.ts";

/** The flags and arguments of a command, as far as completion needs them. */
export interface Declaration {
  readonly flags: readonly DeclaredFlag[];
  readonly arguments: readonly DeclaredArgument[];
}

export interface DeclaredFlag {
  /** With the dashes, the long one first. */
  readonly names: readonly string[];
  readonly summary: string;
  /** The name of its value, such as "file"; a switch has none. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly isRepeatable: boolean;
}

export interface DeclaredArgument {
  readonly name: string;
  readonly choices?: readonly string[];
  readonly isRepeatable: boolean;
}

/** Reads the declaration of a command by asking for its help. */
export async function declarationOf(spec: CommandSpec, io: CommandIo): Promise<Declaration> {
  let help = "";
  let declared: Declaration | undefined;
  try {
    await runCommand(spec, ["--help"], {
      ...io,
      write: (text) => {
        help += text;
      },
      onDeclared: (command) => {
        declared = fromCommand(command);
      },
    });
  } catch {
    // Help ends a command by an error, after its flags were declared.
  }
  return declared ?? fromHelp(help);
}

function fromCommand(command: Command): Declaration {
  const flags = command.options.filter(({ hidden }) => !hidden).map(fromOption);
  return {
    flags: [...flags, { names: ["--help", "-h"], summary: "what it takes", isRepeatable: false }],
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      ...(argument.argChoices && { choices: argument.argChoices }),
      isRepeatable: argument.variadic,
    })),
  };
}

function fromOption(option: Option): DeclaredFlag {
  const { long, short, flags, description: summary, argChoices: choices } = option;
  const value = /[<[]([^>\].]+)/.exec(flags)?.[1];
  return {
    names: [long, short].filter((name) => name !== undefined && name !== null),
    summary,
    ...(value !== undefined && { value }),
    ...(choices && { choices }),
    // Commander does not record it: a flag that collects values has a parser.
    isRepeatable: option.variadic || (option.parseArg !== undefined && !choices),
  };
}

/** Programs that parse their own flags print a line for each: "  --name value   summary". */
function fromHelp(help: string): Declaration {
  const lines = help.matchAll(/^ {2}--([a-z][\w-]*)(?: (\S+))? {2,}(\S.*)$/gm);
  const flags = [...lines].map(([, name = "", value, summary = ""]) => ({
    names: [name.length === 1 ? `-${name}` : `--${name}`],
    summary,
    ...(value !== undefined && { value }),
    isRepeatable: /strings|=|rule/.test(value ?? ""),
  }));
  return { flags, arguments: [] };
}

import type { Command, Option } from "commander";
import type { CommandIo, CommandSpec } from "../command.ts";

/** What a command takes, as far as a shell has to know it. */
export interface Declaration {
  readonly flags: readonly DeclaredFlag[];
  readonly arguments: readonly DeclaredArgument[];
}

export interface DeclaredFlag {
  /** With the dashes, the long one first. */
  readonly names: readonly string[];
  readonly summary: string;
  /** What its value is called, such as "file"; a switch has none. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly isRepeatable: boolean;
}

export interface DeclaredArgument {
  readonly name: string;
  readonly choices?: readonly string[];
  readonly isRepeatable: boolean;
}

/** Asks a command for its help, which every one answers without doing anything. */
export async function declarationOf(spec: CommandSpec, io: CommandIo): Promise<Declaration> {
  let help = "";
  let declared: Declaration | undefined;
  const { run } = await spec.load();
  try {
    await run(["--help"], {
      ...io,
      write: (text) => {
        help += text;
      },
      onDeclared: (command) => {
        declared = fromCommand(command);
      },
    });
  } catch {
    // Help ends a command by an error; what it takes was declared before.
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
    // Commander does not tell: what collects its values has a parser of its own.
    isRepeatable: option.variadic || (option.parseArg !== undefined && !choices),
  };
}

/** Programs with flags of their own print a line for each: "  --name value   what it says". */
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

import type { CommandIo, CommandSpec } from "../command.ts";
import type { Asked } from "./cluster-names.ts";
import { type Declaration, type DeclaredFlag, declarationOf } from "./declaration.ts";
import { sourceOfArgument, sourceOfFlag, type ValueSource } from "./value-names.ts";

/** One completion of the word at the cursor. */
export interface Candidate {
  readonly text: string;
  readonly summary?: string;
}

/** What a shell does besides offering candidates, by the numbers of Cobra's scripts. */
export const directives = { files: 0, noFiles: 4, folders: 16 } as const;

export interface Completion {
  readonly candidates: readonly Candidate[];
  readonly directive: (typeof directives)[keyof typeof directives];
}

/** Completes the arguments behind the name of a command; the last word is the one at the cursor. */
export async function completeArguments(
  spec: CommandSpec,
  words: readonly string[],
  io: CommandIo,
): Promise<Completion> {
  const declaration = await declarationOf(spec, io);
  const current = words.at(-1) ?? "";
  const typed = readTyped(declaration, words.slice(0, -1));
  const values = (source: ValueSource, prefix = "") =>
    completeValue(source, { typed: current, prefix, asked: askedBy(typed, spec) }, io);
  if (typed.open) return values(sourceOfFlag(typed.open));
  if (typed.isOver || !current.startsWith("-")) {
    const { arguments: all } = declaration;
    const last = all.at(-1);
    const argument = all[typed.positions] ?? (last?.isRepeatable ? last : undefined);
    return argument ? values(sourceOfArgument(argument, spec.name)) : nothing;
  }
  const [, name = "", equals] = /^(--?[^=]+)(=)?/.exec(current) ?? [];
  if (!equals)
    return { candidates: flagNames(declaration, typed, current), directive: directives.noFiles };
  const flag = flagOf(declaration, name);
  return flag?.value === undefined ? nothing : values(sourceOfFlag(flag), `${name}=`);
}

const nothing: Completion = { candidates: [], directive: directives.noFiles };

/** The words before the cursor, parsed. */
interface Typed {
  /** By the first name of each flag. */
  readonly values: Readonly<Record<string, string>>;
  /** The flag whose value is at the cursor. */
  readonly open?: DeclaredFlag;
  readonly positions: number;
  /** Whether "--" was typed, after which there are no flags. */
  readonly isOver: boolean;
}

function readTyped(declaration: Declaration, words: readonly string[]): Typed {
  const values: Record<string, string> = {};
  let [positions, isOver] = [0, false];
  let open: DeclaredFlag | undefined;
  for (const word of words) {
    const [, name = "", value] = /^(--?[^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const flag = isOver ? undefined : flagOf(declaration, name);
    if (open) values[open.names[0] ?? ""] = word;
    else if (flag) values[flag.names[0] ?? ""] = value ?? "";
    else if (word !== "--" && !(word.startsWith("-") && !isOver)) positions += 1;
    if (!open && word === "--") isOver = true;
    const opens = !open && flag?.value !== undefined && value === undefined;
    open = opens ? flag : undefined;
  }
  return { values, positions, isOver, ...(open && { open }) };
}

function flagOf({ flags }: Declaration, name: string): DeclaredFlag | undefined {
  return flags.find(({ names }) => names.includes(name));
}

/** The long names, each once unless it may be repeated. */
function flagNames({ flags }: Declaration, { values }: Typed, current: string): Candidate[] {
  return flags
    .filter(({ names: [name = ""], isRepeatable }) => isRepeatable || values[name] === undefined)
    .map(({ names: [name = ""], summary }) => ({ text: name, summary }))
    .filter(({ text }) => text.startsWith(current));
}

function askedBy({ values }: Typed, spec: CommandSpec): Asked {
  const { "--kubeconfig": kubeconfig, "--namespace": namespace } = values;
  const context = values["--context"] ?? values["--kubeconfig-context"];
  return {
    ...(kubeconfig && { kubeconfig }),
    ...(context && { context }),
    ...(namespace && { namespace }),
    kubeconfigs: values,
    isNew: !/^(upgrade|delete|migrate)/.test(spec.name),
  };
}

interface AtCursor {
  readonly typed: string;
  /** The text before the value in the same word. */
  readonly prefix: string;
  readonly asked: Asked;
}

async function completeValue(
  source: ValueSource,
  { typed, prefix, asked }: AtCursor,
  io: CommandIo,
): Promise<Completion> {
  if (source.from === "files" || source.from === "folders") {
    return { candidates: [], directive: directives[source.from] };
  }
  const names = await namesOf(source, asked, io);
  const candidates = names.toSorted().map((name) => ({ text: `${prefix}${name}` }));
  return {
    candidates: candidates.filter(({ text }) => text.startsWith(typed)),
    directive: directives.noFiles,
  };
}

async function namesOf(
  source: ValueSource,
  asked: Asked,
  io: CommandIo,
): Promise<readonly string[]> {
  if (source.from === "choices") return source.choices;
  if (source.from === "nowhere") return [];
  try {
    // Imported only when a cluster is asked, as the user waits for each import.
    const { namesFrom } = await import("./cluster-names.ts");
    return await namesFrom(source, asked, io);
  } catch {
    // An error would be printed into the command line that the user types.
    return [];
  }
}

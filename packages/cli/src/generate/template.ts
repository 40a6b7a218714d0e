import {
  inspectVariables,
  MissingVariablesError,
  parseDocuments,
  replaceVariables,
  type Variable,
  type VariableLookup,
} from "@rookery/components";
import { TemplateError } from "../errors.ts";
import { type TemplateObject, withNamespace } from "./target-namespace.ts";

/** What a template makes, and of which variables. */
export interface Template {
  readonly variables: readonly Variable[];
  /** None where only the variables are asked for. */
  readonly objects: readonly TemplateObject[];
}

export interface TemplateOptions {
  readonly lookup: VariableLookup;
  /** Where all objects are put; they stay where they are where absent. */
  readonly namespace?: string;
  /** Only the variables are asked for: no value has to be there. */
  readonly isListed: boolean;
}

/** Errors: TemplateError for missing values and what is no object; what the YAML or a substitution is wrong about. */
export function makeTemplate(text: string, options: TemplateOptions): Template {
  const { lookup, namespace, isListed } = options;
  const variables = inspectVariables(text);
  if (isListed) return { variables, objects: [] };
  const objects = parseDocuments(replaceAll(text, lookup)).map(({ value, source }) => {
    if (typeof value === "object" && !Array.isArray(value)) return value as TemplateObject;
    throw new TemplateError(`document ${source.index} (line ${source.line}) is no object`);
  });
  const placed = namespace ? objects.map((object) => withNamespace(object, namespace)) : objects;
  return { variables, objects: placed };
}

/** The variables of both; where both have a default, that of the first counts. */
export function joinTemplates(first: Template, second: Template): Template {
  const byName = new Map(first.variables.map((variable) => [variable.name, variable]));
  for (const variable of second.variables) {
    if (byName.get(variable.name)?.default === undefined) byName.set(variable.name, variable);
  }
  const variables = [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { variables, objects: [...first.objects, ...second.objects] };
}

function replaceAll(text: string, lookup: VariableLookup): string {
  try {
    return replaceVariables(text, lookup);
  } catch (error) {
    if (!(error instanceof MissingVariablesError)) throw error;
    throw new TemplateError(
      `there is no value for ${error.missing.join(", ")}; set them in the environment or in the configuration ` +
        "file, and see what there is to set with --list-variables",
      error,
    );
  }
}

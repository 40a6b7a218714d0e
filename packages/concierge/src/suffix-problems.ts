import { InvalidMappingError, mappingFromFlags } from "@rookery/group-suffix";

/** Everything that is wrong with an API group suffix; "" stands for the default one. */
export function suffixProblems(apiGroupSuffix: string): readonly string[] {
  try {
    mappingFromFlags({ apiGroupSuffix });
    return [];
  } catch (error) {
    if (!(error instanceof InvalidMappingError)) throw error;
    return error.problems.map((problem) => `--api-group-suffix: ${problem}`);
  }
}

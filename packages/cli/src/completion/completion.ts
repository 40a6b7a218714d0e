/** Something that may stand where the cursor is. */
export interface Candidate {
  readonly text: string;
  readonly summary?: string;
}

/** What a shell does beside offering candidates, by the numbers that Cobra's scripts know. */
export const directives = { files: 0, noFiles: 4, folders: 16 } as const;

export interface Completion {
  readonly candidates: readonly Candidate[];
  readonly directive: (typeof directives)[keyof typeof directives];
}

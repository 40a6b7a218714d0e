/** Told in a short sentence what is being done, so that a long wait explains itself. */
export type Progress = (sentence: string) => void;

/** Progress on standard error, where it does not mix with what a command prints as its result. */
export const reportProgress: Progress = (sentence) => {
  process.stderr.write(`# ${sentence}\n`);
};

export const noProgress: Progress = () => {};

/** Called with a short sentence about the present work, to explain a long wait. */
export type Progress = (sentence: string) => void;

/** Progress on standard error, where it does not mix with what a command prints as its result. */
export const reportProgress: Progress = (sentence) => {
  process.stderr.write(`# ${sentence}\n`);
};

export const noProgress: Progress = () => {};

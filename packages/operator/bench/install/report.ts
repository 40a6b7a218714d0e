/** What one run of an operator came to. */
export interface InstallReport {
  /** From the first object that is applied until all are ready. */
  readonly milliseconds: number;
  /** The most memory that was resident, in bytes. */
  readonly resident: number;
  /** Milliseconds of the processor that the operator took, its start included. */
  readonly processor: number;
  /** What the operator wrote until all was ready and it rested. */
  readonly writes: number;
  /** What it wrote after it was started again, with nothing to do. */
  readonly idleWrites: number;
}

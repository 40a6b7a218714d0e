/** The program that runs for an image. */
export interface ImageProgram {
  /** The image's entry point: a container's `command` takes its place, its `args` follow it. */
  readonly entrypoint: readonly string[];
  /** The image's own variables; a container's win. */
  readonly env?: Readonly<Record<string, string>>;
  /** Folders that are searched for a `command` that is a bare name, before the machine's own. */
  readonly path?: readonly string[];
  /** The files and folders of the program, for containers of users who could not read them otherwise. */
  readonly files?: readonly string[];
  /** A folder that it keeps for itself; each user has another one there. */
  readonly cache?: string;
  /** As in "rookery@sha256:…"; shown in the pod's status. */
  readonly id: string;
}

/** Which programs there are; undefined where an image can't be run here. */
export interface ImagePrograms {
  /** Waited for like a pull, where the program has yet to be made. */
  programOf(image: string): ImageProgram | undefined | Promise<ImageProgram | undefined>;
  /** Why an image can't be run, and which ones can: the end of what ErrImagePull says. */
  readonly hint: string;
}

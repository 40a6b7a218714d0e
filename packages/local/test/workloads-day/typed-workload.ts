/** What somebody types on a day with workloads. */
export interface TypedWorkload {
  readonly command: string;
  readonly stdin?: string;
  /** Asked again until it prints this. */
  readonly until?: RegExp;
  /** Goes on by itself: it is ended once it has printed this. */
  readonly endAt?: RegExp;
  /** Of a port-forward: what is asked of the port, and its answer takes the place of the output. */
  readonly path?: string;
  /** It may end before it has printed what comes: only its exit code is compared. */
  readonly unheard?: true;
  /** What comes before the last line depends on the moment. */
  readonly lastLine?: true;
  /** Names have random parts, and the order of lines is theirs. */
  readonly anyOrder?: true;
}

export const nodeName = "rookery-node";
export const imageNames = ["rookery.dev/day:v1", "rookery.dev/day:v2"] as const;
export const [image, nextImage] = imageNames;

/** Arguments with blanks, by the words that commands have in their place. */
export const scripts: Readonly<Record<string, string>> = {
  // Containers on the embedded node share the machine's addresses, and are told which one is theirs.
  "{serve}": `trap 'exit 0' TERM; echo serving; httpd -f -p "\${ROOKERY_LISTEN_HOST:-0.0.0.0}:8080" -h /bin & wait`,
  "{forever}": "trap 'exit 0' TERM; echo begun; sleep 1000 & wait",
  "{count}": "for n in 1 2 3; do echo line $n; done",
  "{slowly}": "for n in 1 2 3; do echo line $n; sleep 1; done",
  "{both}": "echo out; echo err >&2",
  "{fail}": "echo failing >&2; exit 7",
  // Not on the day that this is typed, as far as anyone can tell.
  "{yearly}": "0 0 29 2 *",
};

export const typed = (
  command: string,
  rest: Omit<TypedWorkload, "command"> = {},
): TypedWorkload => ({
  command,
  ...rest,
});
export const anyOrder = { anyOrder: true } as const;
export const lastLine = { lastLine: true } as const;

export const shell = (name: string, script: string, rest = "") =>
  `{name: ${name}, image: "${image}", command: [sh, -c, ${JSON.stringify(script)}]${rest}}`;

/** Asked until there is nothing left. */
export const gone = { until: /^$/ } as const;

import { image } from "../workloads-day/typed-workload.ts";

/** What is looked at in the status of a pod. */
export interface PodStatus {
  readonly phase?: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
}

interface ContainerStatus {
  readonly restartCount: number;
  readonly state?: {
    readonly running?: object;
    readonly waiting?: { readonly reason: string };
    readonly terminated?: object;
  };
}

/** A pod, and the moment in which nodes are asked what they make of it. */
export interface PodStory {
  readonly spec: object;
  /** What its spec is changed to once it is ready. */
  readonly onceReady?: object;
  /** Containers that are put into it once it is ready. */
  readonly debuggedBy?: readonly object[];
  isTold(status: PodStatus): boolean;
  /** It does not stay so: what was told in that moment counts. */
  readonly passes?: true;
  /** It is deleted then, with this grace; the events until it is gone count. */
  readonly deletedWithin?: number;
}

/** Runs until it is asked to end, which it heeds from the moment on in which it has made a file. */
const forever = "trap 'exit 0' TERM; touch /kept/heeds; sleep 1000 & wait";
const heeds = "until test -e /kept/heeds; do sleep 0.1; done";
/** Succeeds as soon as the program would heed being asked to end: before, how it ends is chance. */
const heedingProbe = {
  exec: { command: ["sh", "-c", heeds] },
  timeoutSeconds: 60,
  periodSeconds: 1,
};
const kept = { volumes: [{ name: "kept", emptyDir: {} }] };

function shell(name: string, script: string, rest: object = {}): object {
  const volumeMounts = [{ name: "kept", mountPath: "/kept" }];
  const program = { image, imagePullPolicy: "Never", command: ["sh", "-c", script] };
  return { name, ...program, volumeMounts, ...rest };
}

function one(script: string, rest: object = {}): object {
  return { ...kept, containers: [shell("main", script, rest)] };
}

function once(script: string, rest: object = {}): object {
  return { restartPolicy: "Never", ...one(script, rest) };
}

const isOver = ({ phase }: PodStatus) => phase === "Succeeded" || phase === "Failed";
export const isReady = ({ conditions = [] }: PodStatus) =>
  conditions.some(({ type, status }) => type === "Ready" && status === "True");
const waitsFor =
  (reason: string) =>
  ({ containerStatuses = [] }: PodStatus) =>
    containerStatuses.some(({ state }) => state?.waiting?.reason === reason);
/** For the first time: each further one waits twice as long, and two nodes need not be at the same one. */
const crashLoop = { isTold: waitsFor("CrashLoopBackOff"), passes: true } as const;
const runsAgain = ({ containerStatuses = [] }: PodStatus) =>
  containerStatuses.some(
    ({ restartCount, state }) => restartCount === 1 && state?.running !== undefined,
  );

export const podStories: Readonly<Record<string, PodStory>> = {
  succeeds: { spec: once("true"), isTold: isOver },
  fails: {
    spec: once("echo why; exit 3", { terminationMessagePolicy: "FallbackToLogsOnError" }),
    isTold: isOver,
  },
  "tells-why": { spec: once("echo told > /dev/termination-log; exit 1"), isTold: isOver },
  // Process 1 of a container can't be killed from within; one of its own can.
  "is-killed-for-memory": { spec: once("sh -c 'kill -9 $$'; exit $?"), isTold: isOver },
  "has-no-such-program": {
    spec: once("", { command: ["/none"] }),
    isTold: isOver,
  },
  "fails-to-begin": {
    spec: {
      ...once(forever),
      initContainers: [shell("init", "exit 2"), shell("never", "true")],
    },
    isTold: isOver,
  },
  "is-ready": {
    spec: {
      initContainers: [shell("init", "true")],
      ...one(forever, {
        readinessProbe: { exec: { command: ["true"] }, periodSeconds: 1, timeoutSeconds: 60 },
        resources: { requests: { cpu: "10m", memory: "8Mi" } },
      }),
    },
    isTold: isReady,
  },
  crashes: { spec: one("exit 1"), ...crashLoop },
  "misses-a-key": {
    spec: one(forever, {
      env: [{ name: "X", valueFrom: { configMapKeyRef: { name: "none", key: "x" } } }],
    }),
    isTold: waitsFor("CreateContainerConfigError"),
  },
  "has-a-sidecar": {
    spec: {
      ...once("sleep 1"),
      initContainers: [
        shell("side", forever, { restartPolicy: "Always", startupProbe: heedingProbe }),
      ],
    },
    isTold: isOver,
  },
  "is-debugged": {
    spec: one(forever),
    debuggedBy: [
      shell("looks", "echo seen; exit 4", { targetContainerName: "main" }),
      shell("stays", forever),
    ],
    isTold: ({ ephemeralContainerStatuses: [looks, stays] = [] }) =>
      looks?.state?.terminated !== undefined && stays?.state?.running !== undefined,
  },
  "takes-too-long": {
    // Not before it runs, however long that takes.
    spec: { terminationGracePeriodSeconds: 10, ...one(forever, { readinessProbe: heedingProbe }) },
    onceReady: { activeDeadlineSeconds: 1 },
    isTold: ({ phase, containerStatuses = [] }) =>
      phase === "Failed" && containerStatuses.every(({ state }) => state?.terminated !== undefined),
  },
  "is-not-alive": {
    spec: {
      terminationGracePeriodSeconds: 1,
      // Once started again it stays alive, so that there is a state in which it stays.
      ...one(`test -e /kept/begun && touch /kept/alive; touch /kept/begun; ${forever}`, {
        startupProbe: heedingProbe,
        livenessProbe: {
          exec: { command: ["sh", "-c", "test -e /kept/alive || { echo dead; exit 1; }"] },
          periodSeconds: 1,
          failureThreshold: 1,
          initialDelaySeconds: 5,
          timeoutSeconds: 60,
        },
      }),
    },
    isTold: runsAgain,
  },
  "hangs-before-it-stops": {
    spec: one(forever, { lifecycle: { preStop: { exec: { command: ["sleep", "1000"] } } } }),
    isTold: isReady,
    deletedWithin: 1,
  },
  "fails-after-its-start": {
    spec: {
      terminationGracePeriodSeconds: 1,
      ...one(forever, {
        lifecycle: {
          postStart: { exec: { command: ["sh", "-c", `${heeds}; rm /kept/heeds; false`] } },
        },
      }),
    },
    ...crashLoop,
  },
};

const quick = [
  ...["succeeds", "fails", "tells-why", "has-no-such-program", "fails-to-begin", "is-ready"],
  ...["misses-a-key", "has-a-sidecar", "is-debugged", "takes-too-long", "hangs-before-it-stops"],
];

/** Those that need nothing but to run and to end; all of them are for the soak. */
export const quickStories = Object.fromEntries(
  Object.entries(podStories).filter(([name]) => quick.includes(name)),
);

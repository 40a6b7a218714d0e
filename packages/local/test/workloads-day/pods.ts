import {
  anyOrder,
  gone,
  image,
  nextImage,
  shell,
  type TypedWorkload,
  typed,
} from "./typed-workload.ts";

const tools = `
apiVersion: v1
kind: Pod
metadata: {name: tools, labels: {app: tools}}
spec:
  volumes: [{name: data, emptyDir: {}}]
  initContainers:
  - ${shell("first", "echo first > /data/first", ", volumeMounts: [{name: data, mountPath: /data}]")}
  containers:
  - ${shell("main", "trap 'exit 0' TERM; echo main one; echo main two; sleep 1000 & wait", ", volumeMounts: [{name: data, mountPath: /data}]")}
  - ${shell("side", "trap 'exit 0' TERM; echo side one; sleep 1000 & wait")}
`;

const crash = `
apiVersion: v1
kind: Pod
metadata: {name: crash}
spec:
  containers:
  - ${shell("main", "echo crashing; exit 3")}
`;

const listens = `
apiVersion: v1
kind: Pod
metadata: {name: listens}
spec:
  restartPolicy: Never
  containers:
  - ${shell("main", 'while read line; do echo "said $line"; test "$line" = bye && exit 0; done', ", stdin: true, stdinOnce: true")}
`;

export const pods: readonly TypedWorkload[] = [
  typed("apply -f -", { stdin: tools }),
  typed("wait pod/tools --for=condition=Ready --timeout=120s"),
  typed("get pod tools"),
  typed("get pod tools -o yaml"),
  typed("describe pod tools"),
  typed("get pod tools -w", { endAt: /Running/ }),
  typed("logs tools"),
  typed("logs tools -c side"),
  typed("logs tools --all-containers --prefix", anyOrder),
  typed("logs tools -c main --tail=1"),
  typed("logs tools -c main --limit-bytes=4"),
  typed("logs tools -c nobody"),
  typed("logs tools -c main --previous"),
  typed("logs -l app=tools -c side"),
  typed("exec tools -- cat /data/first"),
  typed("exec tools -c main -- sh -c {both}"),
  typed("exec tools -c main -- sh -c {fail}"),
  typed("exec tools -c nobody -- true"),
  typed("exec tools -i -c main -- cat", { stdin: "passed on\n" }),
  typed("exec tools -i -c main -- sh -c cat>/data/written", { stdin: "written\n" }),
  typed("cp tools:/data/written {folder}/back -c main"),
  typed("cp {folder}/back tools:/data/again -c main"),
  typed("exec tools -c main -- cat /data/again"),
  typed("label pod tools mark=yes"),
  typed("annotate pod tools note=hello"),
  typed('patch pod tools -p {"spec":{"activeDeadlineSeconds":600}}'),
  typed(`set image pod/tools side=${nextImage}`),
  typed("get pod tools", { until: /2\/2 +Running +1 / }),
  typed("logs tools -c side --previous"),
  typed("describe pod tools", anyOrder),
  typed("apply -f -", { stdin: listens }),
  typed("wait pod/listens --for=condition=Ready --timeout=120s"),
  typed("attach listens -i", { stdin: "hello\nbye\n", unheard: true }),
  typed("wait pod/listens --for=jsonpath={.status.phase}=Succeeded --timeout=120s"),
  typed("logs listens"),
  typed(`run once --image=${image} --restart=Never --command -- sh -c {slowly}`),
  typed("wait pod/once --for=condition=PodReadyToStartContainers --timeout=120s"),
  typed("get pod once -o jsonpath={.status.phase}", { until: /Running|Succeeded/ }),
  typed("logs -f once"),
  typed("wait pod/once --for=jsonpath={.status.phase}=Succeeded --timeout=120s"),
  typed("get pod once"),
  typed("describe pod once"),
  typed("exec once -- true"),
  typed(`run once --image=${image}`),
  typed(`run asked --image=${image} --restart=Never -i --rm --quiet --command -- cat`, {
    stdin: "echoed\n",
  }),
  typed("delete pod once listens tools --grace-period=1"),
  typed("get pods once listens tools --ignore-not-found", gone),
];

/** Half a minute, most of it waiting for the next try. */
export const crashes: readonly TypedWorkload[] = [
  typed("apply -f -", { stdin: crash }),
  typed("get pod crash", { until: /CrashLoopBackOff/ }),
  typed("get pod crash -o jsonpath={.status.containerStatuses[0].lastState.terminated.exitCode}", {
    until: /3/,
  }),
  // A kubelet may just have removed the container that was asked for.
  typed("logs crash --previous", { until: /^crashing$/m }),
  typed("describe pod crash", { until: /State: +Waiting[\s\S]*Back-off/, ...anyOrder }),
  typed("delete pod crash"),
];

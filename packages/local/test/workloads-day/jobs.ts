import { anyOrder, gone, image, shell, type TypedWorkload, typed } from "./typed-workload.ts";

const failing = `
apiVersion: batch/v1
kind: Job
metadata: {name: failing}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers:
      - ${shell("main", "echo why; exit 5")}
`;

export const jobs: readonly TypedWorkload[] = [
  typed(`create job counted --image=${image} -- sh -c {count}`),
  typed("wait job/counted --for=condition=Complete --timeout=120s"),
  typed("get job counted"),
  typed("get job counted -o yaml"),
  typed("describe job counted"),
  typed("logs job/counted"),
  typed("get pods -l job-name=counted", anyOrder),
  typed("apply -f -", { stdin: failing }),
  typed("wait job/failing --for=condition=Failed --timeout=120s"),
  typed("describe job failing"),
  typed("describe pod -l job-name=failing"),
  typed(`create cronjob tick --image=${image} --schedule={yearly} -- sh -c {count}`),
  typed("get cronjob tick"),
  typed("describe cronjob tick"),
  typed("create job by-hand --from=cronjob/tick"),
  typed("wait job/by-hand --for=condition=Complete --timeout=120s"),
  typed("logs job/by-hand"),
  typed("delete job counted failing by-hand"),
  typed("delete cronjob tick"),
  typed("get pods -l job-name", gone),
];

import { anyOrder, lastLine, nodeName, type TypedWorkload, typed } from "./typed-workload.ts";

export const maintenance: readonly TypedWorkload[] = [
  typed("get nodes -o name"),
  typed(`cordon ${nodeName}`),
  typed(`cordon ${nodeName}`),
  typed(
    `get node ${nodeName} --no-headers -o custom-columns=N:.metadata.name,U:.spec.unschedulable`,
  ),
  typed(`drain ${nodeName} --pod-selector=app=web --ignore-daemonsets --timeout=120s`, anyOrder),
  typed("describe pod -l app=web", { until: /FailedScheduling/ }),
  typed("get pods -l app=web"),
  typed(`uncordon ${nodeName}`),
  typed("rollout status deploy/web", lastLine),
  typed("wait deploy/web --for=condition=Available --timeout=120s"),
];

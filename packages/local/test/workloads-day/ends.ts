import { anyOrder, gone, image, lastLine, type TypedWorkload, typed } from "./typed-workload.ts";

export const ends: readonly TypedWorkload[] = [
  typed("get all", anyOrder),
  typed("delete deploy web --cascade=orphan"),
  typed("get deploy,rs,pods -l app=web -o name", { until: /pod\//, ...anyOrder }),
  typed("delete rs -l app=web --cascade=foreground", anyOrder),
  typed("get rs,pods -l app=web", gone),
  typed(`create deployment last --image=${image} -- sh -c {forever}`),
  typed("rollout status deploy/last", lastLine),
  typed("delete deploy last --cascade=background"),
  typed("get deploy,rs,pods -l app=last", gone),
  typed(`create deployment last --image=${image} -- sh -c {forever}`),
  typed("rollout status deploy/last", lastLine),
  typed("delete deploy last --cascade=foreground"),
  typed("get deploy,rs,pods -l app=last", gone),
  typed("delete svc web"),
  typed("get endpointslices -l kubernetes.io/service-name=web", gone),
];

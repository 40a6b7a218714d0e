/** What somebody types on a working day, in order; "{ns}" is the namespace they work in. */
export interface Typed {
  readonly command: string;
  readonly stdin?: string;
  /** What it prints depends on when it is asked: only that it ends well is compared. */
  readonly loose?: true;
  /** Asked again until it prints this. */
  readonly until?: RegExp;
}

const typed = (command: string, stdin?: string): Typed => ({ command, ...(stdin && { stdin }) });

const deployment = (image: string) => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: main, image: ${image}, ports: [{containerPort: 80}], env: [{name: A, value: "1"}]}
`;

const settings = (value: string) => `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, labels: {app: web}}
data: {colour: ${value}}
`;

const owned = `
apiVersion: v1
kind: ConfigMap
metadata: {name: owner}
`;

/** By a List, which kubectl validates itself, by OpenAPI v2. */
const list = (field: string) => `
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: first}, data: {a: "1"}}
- {apiVersion: v1, kind: Service, metadata: {name: second}, spec: {ports: [{${field}: 80}]}}
`;

export const day: readonly Typed[] = [
  typed("version -o json --client=false --request-timeout=60s"),
  typed("create namespace {ns}"),
  typed("config set-context --current --namespace={ns}"),
  // Controllers make them, and lists below show them.
  { command: "get sa/default cm/kube-root-ca.crt -o name", until: /^serviceaccount\/default$/m },
  typed("create configmap made --from-literal=a=1 --from-literal=b=2"),
  typed("create configmap made --from-literal=a=1"),
  typed("create secret generic hidden --from-literal=password=x"),
  typed("create serviceaccount robot"),
  typed("create role reader --verb=get,list --resource=configmaps"),
  typed("create rolebinding reader --role=reader --serviceaccount={ns}:robot"),
  typed("create clusterrole {ns}-reader --verb=get --resource=nodes"),
  typed("create service clusterip headless --clusterip=None --tcp=80:8080"),
  typed("create deployment direct --image=example/image:v1 --replicas=0"),
  typed("create -f -", settings("red")),
  typed("apply -f -", list("prot")),
  typed("apply -f -", list("port")),
  typed("delete -f -", list("port")),
  typed("apply -f -", settings("red")),
  typed("apply -f -", settings("green")),
  typed("apply -f -", settings("green")),
  typed("diff -f -", settings("blue")),
  typed("apply --dry-run=server -f -", settings("blue")),
  typed("apply --dry-run=client -f -", settings("blue")),
  typed("apply -f -", deployment("example/image:v1")),
  typed("apply -f -", deployment("example/image:v2")),
  typed("diff -f -", deployment("example/image:v3")),
  typed("apply --server-side -f -", deployment("example/image:v3")),
  typed("apply --server-side --force-conflicts -f -", deployment("example/image:v3")),
  typed("apply --server-side --field-manager=other -f -", deployment("example/image:v4")),
  typed("apply view-last-applied deployment/web"),
  typed("get all"),
  typed("get cm"),
  typed("get cm,secret,sa,role,rolebinding,svc,deploy"),
  ...[
    "wide",
    "yaml",
    "json",
    "name",
    "jsonpath={.items[*].metadata.name}",
    "custom-columns=N:.metadata.name,C:.data.colour",
  ].map((form) => typed(`get configmaps -o ${form}`)),
  typed("get deploy web -o yaml --show-managed-fields"),
  typed("get cm settings -o go-template={{.data.colour}}"),
  typed("get cm -l app=web"),
  typed("get cm -l app!=web -o name"),
  typed("get cm --show-labels"),
  typed("get cm --sort-by=.metadata.name --no-headers"),
  typed("get cm --field-selector=metadata.name=made"),
  typed("get cm --chunk-size=1 -o name"),
  typed("get cm nothing"),
  typed("get nonsense"),
  typed("get namespaces {ns} -o yaml"),
  typed("get cm -A --field-selector=metadata.namespace={ns} -o name"),
  { command: "get cm made -w --request-timeout=5s -o name", loose: true },
  typed("describe cm settings"),
  typed("describe deploy web"),
  typed("describe secret hidden"),
  typed("describe sa robot"),
  typed("describe svc headless"),
  typed("describe role reader"),
  typed("describe rolebinding reader"),
  typed("describe namespace {ns}"),
  typed("explain configmap"),
  typed("explain deployment.spec.strategy"),
  typed("explain deployment.spec --recursive"),
  typed("explain pod.spec.containers.livenessProbe"),
  typed("explain nonsense"),
  typed("label cm made mark=yes"),
  typed("label cm made mark=no"),
  typed("label --overwrite cm made mark=no"),
  typed("label cm made mark-"),
  typed("annotate cm made note=hello"),
  typed('patch cm made -p {"data":{"c":"3"}}'),
  typed('patch cm made --type=merge -p {"data":{"c":null}}'),
  typed('patch cm made --type=json -p [{"op":"replace","path":"/data/a","value":"9"}]'),
  typed('patch cm made --type=json -p [{"op":"test","path":"/data/a","value":"8"}]'),
  typed('patch deploy web --subresource=status --type=merge -p {"status":{"replicas":0}}'),
  typed("set image deploy/web main=example/image:v5"),
  typed("set env deploy/web B=2"),
  typed("set resources deploy/web --limits=cpu=100m,memory=64Mi"),
  typed("scale deploy web --replicas=2"),
  typed("scale deploy web --replicas=0 --current-replicas=5"),
  typed("scale deploy web --replicas=0"),
  typed("rollout pause deploy/web"),
  typed("rollout resume deploy/web"),
  typed("replace -f -", settings("black")),
  typed("replace --force -f -", settings("white")),
  typed("create token robot --duration=5s"),
  { command: "create token robot --duration=10m", loose: true },
  typed("auth can-i create configmaps"),
  typed("auth can-i get configmaps --as=system:serviceaccount:{ns}:robot"),
  typed("auth can-i delete configmaps --as=system:serviceaccount:{ns}:robot"),
  typed("auth can-i --list --as=system:serviceaccount:{ns}:robot"),
  typed("auth whoami -o json --as=system:serviceaccount:{ns}:robot"),
  typed("get secrets --as=system:serviceaccount:{ns}:robot"),
  typed("get cm --as=system:serviceaccount:{ns}:robot -o name"),
  typed("wait --for=jsonpath={.data.a}=9 cm/made --timeout=60s"),
  typed("wait --for=create cm/never --timeout=1s"),
  typed("wait --for=delete cm/never --timeout=60s"),
  typed("delete cm never"),
  typed("delete cm never --ignore-not-found"),
  typed("apply -f -", owned),
  typed("delete cm owner --cascade=background"),
  typed("apply -f -", owned),
  typed("delete cm owner --cascade=foreground"),
  typed("apply -f -", owned),
  typed("delete cm owner --cascade=orphan --wait=false"),
  typed("delete cm -l app=web"),
  typed("delete deploy direct web"),
  typed("delete deploy --all"),
  typed("delete clusterrole {ns}-reader"),
  typed("config set-context --current --namespace=default"),
  typed("delete namespace {ns} --wait=false"),
  { command: "get namespace {ns} --ignore-not-found", until: /^$/ },
];

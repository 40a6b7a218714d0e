import type { Kubernetes } from "@rookery/testing";

/** The state, the events and the last lines of the pods in a namespace, for the error of a test. */
export async function podStory(
  kubernetes: Pick<Kubernetes, "kubectl">,
  namespace: string,
): Promise<string> {
  const ask = (...args: string[]) =>
    kubernetes.kubectl([...args, `--namespace=${namespace}`]).catch((error) => String(error));
  const listed = await ask("get", "pods", "--output=name");
  const pods = listed.split("\n").filter((name) => name.startsWith("pod/"));
  const logs = await Promise.all(
    pods.flatMap((pod) =>
      [[], ["--previous"]].map(async (previous) => {
        const text = await ask("logs", pod, "--tail=15", ...previous);
        return `logs of ${[pod, ...previous].join(" ")}:\n${text}`;
      }),
    ),
  );
  const states = await Promise.all([
    ask("get", "pods,persistentvolumeclaims,statefulsets", "--output=wide"),
    ask("get", "pods", `--output=jsonpath=${statusPath}`),
    ask("get", "configmaps,endpointslices", "--output=yaml"),
    ask("get", "events", "--sort-by=.lastTimestamp"),
  ]);
  return [...states, ...logs].join("\n");
}

const statusPath =
  '{range .items[*]}{.metadata.name}{" "}{.status.conditions}{" "}{.status.containerStatuses}{"\\n"}{end}';

/** Waits, and adds what is known of the pods to the error where that took too long. */
export async function withPodStory<T>(
  waiting: Promise<T>,
  place: { readonly kubernetes: Pick<Kubernetes, "kubectl">; readonly namespace: string },
): Promise<T> {
  try {
    return await waiting;
  } catch (error) {
    const { message } = error as Error;
    const story = await podStory(place.kubernetes, place.namespace);
    throw new Error(`${message}\n${story}`, { cause: error });
  }
}

package dev.sro.runtime.tests;

import dev.sro.api.Outcome;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.manifest.DesiredHook;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.probe.Readiness;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs tests one after another and says how they went. Confined to one thread. */
final class TestRun {

    /** Enough to see why, and not all of it. */
    private static final int LINES = 50;

    private static final int BYTES = 64 << 10;

    private final KubernetesClient client;
    private final PrintWriter out;
    private final Duration timeout;
    private final Fabric8Codec codec;

    TestRun(KubernetesClient client, PrintWriter out, Duration timeout) {
        this.client = client;
        this.out = out;
        this.timeout = timeout;
        this.codec = new Fabric8Codec(client.getKubernetesSerialization());
    }

    /** Whether all succeeded. As in Helm, the first that does not is the last. */
    boolean all(List<DesiredHook> tests) {
        List<DesiredHook> succeeded = new ArrayList<>();
        for (DesiredHook test : tests) {
            Optional<String> failure = run(test);
            ObjectRef ref = test.object().ref();
            out.println(ref + ": " + failure.map(why -> "failed: " + why).orElse("succeeded"));
            out.flush();
            if (failure.isPresent()) {
                showLogs(ref);
                tidy(List.of(test), DesiredHook.FAILED);
                break;
            }
            succeeded.add(test);
        }
        tidy(succeeded, DesiredHook.SUCCEEDED);
        return succeeded.size() == tests.size();
    }

    private void tidy(List<DesiredHook> tests, String policy) {
        tests.stream()
                .filter(test -> test.policies().contains(policy))
                .forEach(test -> resource(test.object().ref()).delete());
    }

    /** Why it failed; empty when it did not. */
    private Optional<String> run(DesiredHook test) {
        Resource<GenericKubernetesResource> at = resource(test.object().ref());
        try {
            if (at.get() != null) {
                at.delete();
                at.waitUntilCondition(found -> found == null, timeout.toMillis(), TimeUnit.MILLISECONDS);
            }
            client.resource(codec.fromTree(test.object().tree(), GenericKubernetesResource.class))
                    .create();
            GenericKubernetesResource ended =
                    at.waitUntilCondition(this::isOver, timeout.toMillis(), TimeUnit.MILLISECONDS);
            return ended == null ? Optional.of("somebody deleted it") : failure(ended);
        } catch (KubernetesClientTimeoutException e) {
            return Optional.of("not done after " + timeout.toSeconds() + " s");
        } catch (KubernetesClientException e) {
            if (e.getStatus() == null) {
                throw e;
            }
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private boolean isOver(@Nullable GenericKubernetesResource found) {
        return found == null || !(outcome(found) instanceof Outcome.Waiting);
    }

    private Optional<String> failure(GenericKubernetesResource ended) {
        return outcome(ended) instanceof Outcome.Failed failed
                ? Optional.of(failed.problem().message())
                : Optional.empty();
    }

    private Outcome outcome(GenericKubernetesResource found) {
        return Readiness.judge(
                KubeObject.of(codec.toTree(found)), List.of(), Clock.systemUTC().instant());
    }

    private Resource<GenericKubernetesResource> resource(ObjectRef ref) {
        var all = client.genericKubernetesResources(ref.apiVersion(), ref.kind());
        return (ref.namespace().isEmpty() ? all : all.inNamespace(ref.namespace())).withName(ref.name());
    }

    private void showLogs(ObjectRef ref) {
        List<Pod> pods = ref.kind().equals("Pod")
                ? Optional.ofNullable(client.pods()
                                .inNamespace(ref.namespace())
                                .withName(ref.name())
                                .get())
                        .map(List::of)
                        .orElse(List.of())
                : client.pods()
                        .inNamespace(ref.namespace())
                        .withLabel("job-name", ref.name())
                        .list()
                        .getItems();
        for (Pod pod : pods) {
            for (Container container : pod.getSpec().getContainers()) {
                showLog(pod, container.getName());
            }
        }
    }

    private void showLog(Pod pod, String container) {
        String name = "Pod " + pod.getMetadata().getNamespace() + "/"
                + pod.getMetadata().getName() + ", container " + container;
        try {
            String log = client.pods()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .withName(pod.getMetadata().getName())
                    .inContainer(container)
                    .limitBytes(BYTES)
                    .tailingLines(LINES)
                    .getLog();
            out.println("the end of the log of " + name + ":");
            log.lines().forEach(line -> out.println("  " + line));
        } catch (KubernetesClientException e) {
            out.println("no log of " + name + ": " + e.getMessage());
        }
    }
}

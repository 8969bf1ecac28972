package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.contract.RenderedPlugin;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What operands need where pods have their GPUs by claims. */
class ClaimsStackTest {

    private static List<GenericKubernetesResource> rendered(String settings) {
        RenderedPlugin rendered = RenderedPlugin.of(
                new NvidiaPlugin(), Gpus.parsed(settings), Gpus.kubernetes(), List.of(Gpus.ubuntu(Map.of())));
        assertThat(rendered.problems()).isEmpty();
        return rendered.objects();
    }

    private static <T> List<T> all(List<GenericKubernetesResource> objects, Class<T> type) {
        return objects.stream()
                .filter(object -> object.getKind().equals(type.getSimpleName()))
                .map(object -> Serialization.unmarshal(Serialization.asYaml(object), type))
                .toList();
    }

    private static DaemonSet daemonSet(List<GenericKubernetesResource> objects, String name) {
        return all(objects, DaemonSet.class).stream()
                .filter(one -> one.getMetadata().getName().startsWith(name))
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, String> environment(DaemonSet exporter) {
        return exporter.getSpec().getTemplate().getSpec().getContainers().get(0).getEnv().stream()
                .filter(variable -> variable.getValue() != null)
                .collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
    }

    /** Verbs that a service account has on a resource in the whole cluster. */
    private static Set<String> verbs(List<GenericKubernetesResource> objects, String account, String resource) {
        Set<String> roles = all(objects, ClusterRoleBinding.class).stream()
                .filter(binding -> binding.getSubjects().stream()
                        .anyMatch(subject -> subject.getName().equals(account)))
                .map(binding -> binding.getRoleRef().getName())
                .collect(Collectors.toSet());
        return all(objects, ClusterRole.class).stream()
                .filter(role -> roles.contains(role.getMetadata().getName()))
                .flatMap(role -> role.getRules().stream())
                .filter(rule -> rule.getResources().contains(resource))
                .flatMap(rule -> rule.getVerbs().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean hasToken(List<GenericKubernetesResource> objects, String account) {
        return all(objects, ServiceAccount.class).stream()
                .filter(one -> one.getMetadata().getName().equals(account))
                .allMatch(one -> Boolean.TRUE.equals(one.getAutomountServiceAccountToken()));
    }

    /** kubelet names devices of claims by pool and device; whose GPU that is, only the ResourceSlices say. */
    @Test
    void theExporterTellsWhichPodHasAGpuByAClaim() {
        List<GenericKubernetesResource> objects = rendered("{dra: {enabled: true}}");

        assertThat(environment(daemonSet(objects, "nvidia-dcgm-exporter")))
                .containsEntry("KUBERNETES_ENABLE_DRA", "true");
        assertThat(verbs(objects, "nvidia-dcgm-exporter", "resourceslices")).containsExactly("get", "list", "watch");
        assertThat(hasToken(objects, "nvidia-dcgm-exporter")).isTrue();
    }

    @Test
    void withADevicePluginTheExporterAsksNobody() {
        List<GenericKubernetesResource> objects = rendered("{}");

        assertThat(environment(daemonSet(objects, "nvidia-dcgm-exporter"))).doesNotContainKey("KUBERNETES_ENABLE_DRA");
        assertThat(verbs(objects, "nvidia-dcgm-exporter", "resourceslices")).isEmpty();
        assertThat(hasToken(objects, "nvidia-dcgm-exporter")).isFalse();
    }

    /** Before, the exporter read {@code resource.k8s.io/v1beta1}, which is not served by default, and waited for it without end. */
    @Test
    void theExporterIsOneThatReadsTheServedVersionOfSlices() {
        String version = Objects.requireNonNull(Catalogue.OWN.entries().get("dcgmExporter"))
                .version();

        assertThat(version).matches("(4\\.([6-9]|\\d{2,})|[5-9]).*");
        assertThat(version)
                .as("the versions that belong together")
                .startsWith(Objects.requireNonNull(Catalogue.OWN.entries().get("dcgm"))
                        .version()
                        .replaceFirst("-.*", "-"));
    }

    /** Before, it evicted pods with claims after a boot, which need the DRA driver to end, which needs the driver. */
    @Test
    void theDriverManagerLetsAPodWithAClaimBeWhenNoDriverIsLoaded() {
        assertThat(List.of("driver.manager", "vfioManager"))
                .allSatisfy(section -> assertThat(
                                Objects.requireNonNull(Catalogue.OWN.entries().get(section))
                                        .version())
                        .matches("v(0\\.(1[2-9]|[2-9]\\d)|[1-9]).*"));
    }

    /** It looks up the claims of each pod on the node before it evicts anybody, and waits for the DRA driver by this label. */
    @Test
    void theDriverManagerMayReadClaimsAndKnowsTheDraDriver() {
        List<GenericKubernetesResource> objects = rendered("{dra: {enabled: true}}");

        assertThat(verbs(objects, "nvidia-driver", "resourceclaims")).contains("get");
        assertThat(verbs(rendered("{}"), "nvidia-driver", "resourceclaims")).contains("get");
        assertThat(daemonSet(objects, "nvidia-dra-driver")
                        .getSpec()
                        .getTemplate()
                        .getMetadata()
                        .getLabels())
                .containsEntry("app", "nvidia-dra-driver-kubelet-plugin");
    }
}

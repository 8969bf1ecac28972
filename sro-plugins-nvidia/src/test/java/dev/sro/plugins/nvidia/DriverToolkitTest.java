package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.contract.RenderedPlugin;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The driver toolkit of OpenShift, in which modules are compiled beside the driver. */
class DriverToolkitTest {

    private static PodSpec driver(String settings) {
        RenderedPlugin rendered = RenderedPlugin.of(
                new NvidiaPlugin(),
                Gpus.parsed("{driver: {usePrecompiled: false" + settings + "}}"),
                Gpus.openShift(),
                List.of(Gpus.rhcos()));
        assertThat(rendered.problems()).isEmpty();
        return rendered.objects().stream()
                .filter(object -> object.getKind().equals("DaemonSet")
                        && object.getMetadata().getName().startsWith("nvidia-driver-daemonset"))
                .map(object -> Serialization.unmarshal(Serialization.asYaml(object), DaemonSet.class))
                .findFirst()
                .orElseThrow()
                .getSpec()
                .getTemplate()
                .getSpec();
    }

    private static Map<String, String> mounts(PodSpec pod, String container) {
        return pod.getContainers().stream()
                .filter(one -> one.getName().equals(container))
                .map(Container::getVolumeMounts)
                .findFirst()
                .orElseThrow()
                .stream()
                .collect(Collectors.toMap(VolumeMount::getName, VolumeMount::getMountPath));
    }

    @Test
    void itHasTheRepositoriesAndCertificatesOfTheDriver() {
        PodSpec pod = driver(", repoConfig: {configMapName: repositories}, certConfig: {name: certificates}");

        assertThat(mounts(pod, "openshift-driver-toolkit-ctr"))
                .containsEntry("repo-config", "/etc/yum.repos.d")
                .containsEntry("cert-config", "/etc/pki/ca-trust/extracted/pem");
        assertThat(mounts(pod, "nvidia-driver-ctr"))
                .containsEntry("repo-config", "/etc/yum.repos.d")
                .containsEntry("cert-config", "/etc/pki/ca-trust/extracted/pem");
        assertThat(pod.getVolumes())
                .filteredOn(volume -> volume.getConfigMap() != null)
                .extracting(
                        volume -> volume.getName() + " " + volume.getConfigMap().getName())
                .contains("repo-config repositories", "cert-config certificates");
    }

    @Test
    void withoutThemItKeepsItsOwn() {
        assertThat(mounts(driver(""), "openshift-driver-toolkit-ctr"))
                .containsOnlyKeys("shared-nvidia-driver-toolkit", "run-nvidia");
    }
}

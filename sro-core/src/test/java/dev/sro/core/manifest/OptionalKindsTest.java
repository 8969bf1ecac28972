package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.State;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionalKindsTest {

    private static final String MONITOR = "monitoring.coreos.com/v1/ServiceMonitor";

    private static final Desired CONFIG = desired("v1", "ConfigMap", "a");
    private static final Desired WATCHED = desired("monitoring.coreos.com/v1", "ServiceMonitor", "b");
    private static final Desired OF_POOL = desired("monitoring.coreos.com/v1", "ServiceMonitor", "c");

    private static Desired desired(String apiVersion, String kind, String name) {
        return new Desired(
                KubeObject.of(Map.of("apiVersion", apiVersion, "kind", kind, "metadata", Map.of("name", name))),
                "0100-a",
                null);
    }

    private static OptionalKinds of(Set<String> optional, String... served) {
        DesiredState state = new DesiredState(
                State.builder().id("0100-a").build(),
                Set.of(),
                List.of(CONFIG, WATCHED),
                Map.of("p", List.of(OF_POOL)),
                Map.of());
        return OptionalKinds.of(
                List.of(state),
                optional,
                ClusterFacts.builder().addServedKinds(served).build());
    }

    @Test
    void whatIsNotServedAndOptionalIsLeftOut() {
        OptionalKinds split = of(Set.of("servicemonitors.monitoring.coreos.com"));

        assertThat(split.states().get(0).shared()).containsExactly(CONFIG);
        assertThat(split.states().get(0).byPool()).containsEntry("p", List.of());
        assertThat(split.skipped()).extracting(OptionalKinds.Skipped::desired).containsExactly(WATCHED, OF_POOL);
        assertThat(split.kinds()).containsExactly(MONITOR);
    }

    @Test
    void whatIsServedOrNotOptionalIsNot() {
        assertThat(of(Set.of("servicemonitors.monitoring.coreos.com"), MONITOR).skipped())
                .isEmpty();
        assertThat(of(Set.of()).skipped()).isEmpty();
        assertThat(of(Set.of("podmonitors.monitoring.coreos.com")).skipped()).isEmpty();
    }

    @Test
    void whatCannotBeSeenIsNeitherThereNorUnwanted() {
        Map<ObjectRef, KubeObject> owned =
                Map.of(CONFIG.object().ref(), CONFIG.object(), WATCHED.object().ref(), WATCHED.object());

        assertThat(of(Set.of("servicemonitors.monitoring.coreos.com")).hiding(owned))
                .containsOnlyKeys(CONFIG.object().ref());
        assertThat(of(Set.of()).hiding(owned)).isSameAs(owned);
    }

    @ParameterizedTest
    @CsvSource({
        "monitoring.coreos.com/v1, PrometheusRule, prometheusrules.monitoring.coreos.com",
        "resource.k8s.io/v1, DeviceClass, deviceclasses.resource.k8s.io",
        "networking.k8s.io/v1, NetworkPolicy, networkpolicies.networking.k8s.io",
        "security.openshift.io/v1, SecurityContextConstraints, securitycontextconstraints.security.openshift.io",
        "example.com/v1, Gateway, gateways.example.com",
        "v1, Pod, pods"
    })
    void kindsAreKnownByTheirPlurals(String apiVersion, String kind, String resource) {
        assertThat(OptionalKinds.isOneOf(Set.of(resource), apiVersion, kind)).isTrue();
        assertThat(OptionalKinds.isOneOf(Set.of("x" + resource), apiVersion, kind))
                .isFalse();
    }
}

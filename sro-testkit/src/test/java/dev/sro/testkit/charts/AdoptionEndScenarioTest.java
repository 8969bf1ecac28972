package dev.sro.testkit.charts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What becomes in the end of objects that were taken over. */
class AdoptionEndScenarioTest extends AdoptionWorld {

    @Test
    void aChangedRecipeTakesAwayWhatItDropped() {
        sandbox.start();
        awaitReady();
        assertThat(driver().getMetadata().getManagedFields())
                .extracting(ManagedFieldsEntry::getManager)
                .doesNotContain("manager");

        sandbox.client().resources(SpecialResource.class).withName("kmod").edit(resource -> {
            Objects.requireNonNull(Objects.requireNonNull(resource.getSpec()).getChart())
                    .setVersion("2.0.0");
            return resource;
        });
        sandbox.run(Duration.ofMinutes(5));

        assertThat(sandbox.isReady("kmod")).isTrue();
        assertThat(driver().getMetadata().getAnnotations()).doesNotContainKey("sro.dev/adopted");
        assertThat(sandbox.client()
                        .apps()
                        .daemonSets()
                        .inNamespace("kmod")
                        .withName(DRIVER)
                        .get()
                        .getSpec()
                        .getTemplate()
                        .getSpec())
                .satisfies(
                        pod -> assertThat(pod.getContainers().get(0).getEnv()).isEmpty())
                .satisfies(pod -> assertThat(pod.getNodeSelector()).containsKey("sro.dev/pool-kmod"));
    }

    @Test
    void labelsOfNodesAndBothFinalizersGoInTheEnd() {
        sandbox.start();
        awaitReady();

        Map<String, String> labels =
                sandbox.client().nodes().withName("one").get().getMetadata().getLabels();
        assertThat(labels)
                .containsEntry(STATE_LABEL, "Ready")
                .doesNotContainKey("specialresource.openshift.io/state-kmod-9999")
                .containsKey("specialresource.openshift.io/state-kmod-two-1000");

        sandbox.client().resources(SpecialResource.class).withName("kmod").delete();
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.get("kmod").isEmpty())).isTrue();
        sandbox.run(Duration.ofMinutes(1));

        assertThat(sandbox.client()
                        .nodes()
                        .withName("one")
                        .get()
                        .getMetadata()
                        .getLabels()
                        .keySet())
                .noneMatch(label ->
                        label.startsWith("specialresource.openshift.io/state-kmod-") && !label.contains("kmod-two"))
                .contains("specialresource.openshift.io/state-kmod-two-1000");
        assertThat(names(Gvr.DAEMONSETS)).isEmpty();
        assertThat(names(Gvr.CONFIGMAPS)).doesNotContain("settings");
        // It may have been there before the original, which marked every namespace.
        assertThat(sandbox.client().namespaces().withName("kmod").get()).isNotNull();
    }

    @Test
    void theConditionThatTheOriginalHadGoesOnToBeTrue() {
        manager.resources(SpecialResource.class).withName("kmod").editStatus(resource -> {
            Condition condition = new Condition();
            condition.setType("Errored");
            condition.setStatus("True");
            condition.setReason("ErrorHasOccurred");
            condition.setMessage("something");
            condition.setLastTransitionTime("2026-01-01T00:00:00Z");
            SpecialResourceStatus status = new SpecialResourceStatus();
            status.setConditions(List.of(condition));
            resource.setStatus(status);
            return resource;
        });

        sandbox.start();
        awaitReady();

        assertThat(Objects.requireNonNull(sandbox.get("kmod").orElseThrow().getStatus())
                        .getConditions())
                .filteredOn(condition -> condition.getType().equals("Errored"))
                .singleElement()
                .satisfies(condition -> assertThat(condition.getStatus()).isEqualTo("False"));
    }
}

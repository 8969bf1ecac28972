package dev.sro.core.dra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Classes, templates, when to write, certificates. */
class DraObjectsTest {
    private static final DraOptions OPTIONS = DraOptions.of(DraServer.of("v1.36.3"));
    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    @Test
    void aClassSelectsByDriverTypeAndProfileAndHasTheResourceOfNvidia() {
        List<DeviceClass> classes =
                DraClasses.create(List.of(Catalogue.builtin().model("A100-40GB")), OPTIONS, true);
        assertThat(classes).hasSize(1 + 7 + 7);
        DeviceClass media = find(classes, "1g-5gb-plus-me.slices.sro.dev");
        assertThat(media.getSpec().getExtendedResourceName()).isEqualTo("nvidia.com/mig-1g.5gb.me");
        assertThat(media.getSpec().getSelectors().get(0).getCel().getExpression())
                .isEqualTo("device.driver == 'slices.sro.dev' && device.attributes['slices.sro.dev'].type == 'mig'"
                        + " && device.attributes['slices.sro.dev'].profile == '1g.5gb+me'");
        assertThat(find(classes, "das-1g-5gb-plus-me.slices.sro.dev").getSpec().getExtendedResourceName())
                .isEqualTo("mig.das.com/1g.5gb-plus-me");
        assertThat(find(classes, "gpu.slices.sro.dev").getSpec().getExtendedResourceName())
                .isNull();
    }

    @Test
    void noTwoProfilesOfTheCatalogueShareAClass() {
        List<DeviceClass> classes = DraClasses.create(Catalogue.builtin().models(), OPTIONS, false);
        assertThat(classes)
                .extracting(
                        each -> each.getSpec().getSelectors().get(0).getCel().getExpression())
                .doesNotHaveDuplicates();
        assertThat(classes.stream()
                        .map(each -> each.getSpec().getExtendedResourceName())
                        .filter(Objects::nonNull))
                .doesNotHaveDuplicates();
        assertThat(find(classes, "7g-79gb.slices.sro.dev")
                        .getSpec()
                        .getSelectors()
                        .get(0)
                        .getCel()
                        .getExpression())
                .endsWith("profile in ['7g.79gb', '7g.80gb']");
    }

    private static DeviceClass find(List<DeviceClass> classes, String name) {
        return classes.stream()
                .filter(each -> each.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aTemplateGoesFromWhatSpoilsLeastToAnything() {
        ResourceClaimTemplate template = DraTemplates.create(
                new DraTemplates.Wish("train", "", List.of("3g.20gb", "4g.20gb"), 2, true), OPTIONS);
        var devices = template.getSpec().getSpec().getDevices();
        assertThat(devices.getRequests()).hasSize(2);
        assertThat(devices.getRequests().get(0).getFirstAvailable())
                .extracting(each -> each.getName())
                .containsExactly(
                        "profile-1-loss-0",
                        "profile-1-loss-1",
                        "profile-1-any",
                        "profile-2-loss-0",
                        "profile-2-loss-1",
                        "profile-2-any");
        assertThat(devices.getRequests().get(0).getFirstAvailable().get(2).getSelectors())
                .isEmpty();
        assertThat(devices.getConstraints().get(0).getMatchAttribute()).isEqualTo("slices.sro.dev/parent");
        assertThatThrownBy(() -> new DraTemplates.Wish("train", "", List.of(), 1, false))
                .hasMessage("template train: profiles: 0 are given; a request has 1 to 8 alternatives");
    }

    @Test
    void ordersAreWrittenOnceInAWhileAndContentsAtOnce() {
        PublishRule rule = PublishRule.standard();
        Optional<Instant> last = Optional.of(NOW.minusMillis(100));
        OrderBudget full = OrderBudget.full();
        OrderBudget spent = full.spent(4);
        assertThat(rule.due(DraPublication.Change.CONTENT, NOW, last, spent, 1)).contains(NOW);
        assertThat(rule.due(DraPublication.Change.NONE, NOW, last, full, 1)).isEmpty();
        assertThat(rule.due(DraPublication.Change.ORDER, NOW, last, full, 1)).contains(NOW.plusMillis(900));
        assertThat(rule.due(DraPublication.Change.ORDER, NOW, Optional.empty(), full, 1))
                .contains(NOW);
        assertThat(rule.due(DraPublication.Change.ORDER, NOW, Optional.empty(), spent.earned(5), 1))
                .isEmpty();
        assertThat(rule.due(DraPublication.Change.ORDER, NOW, Optional.empty(), spent.earned(OrderBudget.USES), 1))
                .contains(NOW);
        assertThat(rule.interval(20)).isEqualTo(Duration.ofSeconds(1));
        assertThat(rule.interval(500)).isEqualTo(Duration.ofSeconds(25));
        assertThat(rule.quiet(NOW, NOW.minusSeconds(30), false)).isTrue();
        assertThat(rule.quiet(NOW, NOW.minusSeconds(29), false)).isFalse();
        assertThat(rule.quiet(NOW, NOW.minusSeconds(60), true)).isFalse();
    }

    @Test
    void versionsSayWhatIsSafe() {
        assertThat(DraServer.of("v1.34.1").layout()).isEqualTo(DraServer.Layout.COMBINED);
        assertThat(DraServer.of("v1.36.2-eks-1").taintsSafe()).isFalse();
        assertThat(DraServer.of("1.36.3").taintsSafe()).isTrue();
        assertThat(DraServer.of("v1.37.0").defects()).hasSize(1);
        assertThat(DraServer.of("v1.35.0").takesSlicesByName()).isFalse();
        assertThatThrownBy(() -> DraServer.of("v1.33.4")).hasMessageContaining("has no resource.k8s.io/v1");
        assertThatThrownBy(() -> DraServer.of("latest")).hasMessageContaining("is not one such as v1.36.2");
    }

    /** The version that is known is that of the API server, and the defects are the scheduler's. */
    @Test
    void aSchedulerThatMayBeOlderThanTheServerIsWarnedOf() {
        assertThat(DraServer.of("v1.36.2").skew()).isEmpty();
        assertThat(DraServer.of("v1.36.2").warnings())
                .anyMatch(warning -> warning.contains("#140436")
                        && warning.contains("until kube-scheduler, and not the API server alone"));
        for (String version : List.of("v1.36.3", "v1.37.0")) {
            assertThat(DraServer.of(version).warnings())
                    .filteredOn(warning -> warning.contains("#140436"))
                    .singleElement()
                    .asString()
                    .contains("version of the API server", "kube-scheduler before 1.36.3", "one minor version older");
        }
        assertThat(DraServer.of("v1.38.0").skew()).isEmpty();
    }

    /** Events take a thousand characters. */
    @ParameterizedTest
    @ValueSource(strings = {"v1.34.0", "v1.35.4", "v1.36.1", "v1.36.3", "v1.37.0"})
    void warningsFitIntoEvents(String version) {
        assertThat(DraServer.of(version).warnings()).allMatch(warning -> warning.length() < 1_000);
    }

    @Test
    void aCertificateForSeveralSlicesIsBelievedForSomethingOnly() {
        Feasibility feasibility = Feasibility.of(Geometry.of(Catalogue.builtin().model("A100-40GB")));
        var model = feasibility.geometry().model();
        List<List<String>> running = List.of(List.of("7g.40gb"), List.of("3g.20gb"));
        Map<String, Long> counts = Map.of("7g.40gb", 1L, "3g.20gb", 1L);
        assertThat(InfeasibilityCertificate.of(feasibility, counts, Map.of("3g.20gb", 1L), 2))
                .isEmpty();
        var certificate = InfeasibilityCertificate.of(feasibility, counts, Map.of("3g.20gb", 2L), 2)
                .orElseThrow();
        assertThat(CertificateChecker.check(certificate, model, running)).isEmpty();
        assertThat(certificate.toString()).startsWith("A100-40GB: 2 x 3g.20gb more need 3 devices, there are 2");
        var nothing = new InfeasibilityCertificate(model.key(), 2, counts, Map.of("3g.20gb", -1L), certificate.parts());
        assertThat(CertificateChecker.check(nothing, model, running))
                .containsExactly("it asks for {3g.20gb=-1}, which is nothing");
    }

    @Test
    void aCertificateIsBelievedOnlyIfItHoldsForEverySetOfOneDevice() {
        Feasibility feasibility = Feasibility.of(Geometry.of(Catalogue.builtin().model("A100-40GB")));
        List<List<String>> running = List.of(List.of("3g.20gb", "3g.20gb"), List.of("4g.20gb"), List.of("7g.40gb"));
        Map<String, Long> counts = Map.of("3g.20gb", 2L, "4g.20gb", 1L, "7g.40gb", 1L);
        var certificate =
                InfeasibilityCertificate.of(feasibility, counts, "7g.40gb", 3).orElseThrow();
        var model = feasibility.geometry().model();
        assertThat(CertificateChecker.check(certificate, model, running)).isEmpty();
        assertThat(certificate.toString()).startsWith("A100-40GB: one more 7g.40gb needs 4 devices, there are 3");
        assertThat(InfeasibilityCertificate.of(feasibility, counts, "3g.20gb", 3))
                .isEmpty();
        assertThat(CertificateChecker.check(certificate, model, running.subList(0, 2)))
                .isNotEmpty();
        var part = certificate.parts().get(0);
        var tighter = new InfeasibilityCertificate(
                model.key(),
                3,
                counts,
                Map.of("7g.40gb", 1L),
                List.of(new InfeasibilityCertificate.Part(part.weights(), part.perDevice() - 1, "")));
        assertThat(CertificateChecker.check(tighter, model, running))
                .anyMatch(error -> error.startsWith("a device can carry"));
        var weak = new InfeasibilityCertificate(
                model.key(),
                3,
                counts,
                Map.of("1g.5gb", 1L),
                List.of(new InfeasibilityCertificate.Part(Map.of("1g.5gb", 1L), 7, "")));
        assertThat(CertificateChecker.check(weak, model, running))
                .containsExactly("by its weights 1 devices are enough");
    }

    @Test
    void everyModelHasCertificatesForAFullFleet() {
        Catalogue.builtin().models().forEach(model -> {
            Feasibility feasibility = Feasibility.of(Geometry.of(model));
            String whole = model.profiles().stream()
                    .max(Comparator.comparingInt(profile -> profile.size()))
                    .orElseThrow()
                    .name();
            var certificate = InfeasibilityCertificate.of(feasibility, Map.of(whole, 2L), whole, 2)
                    .orElseThrow();
            List<List<String>> running = new ArrayList<>(Collections.nCopies(2, List.of(whole)));
            assertThat(CertificateChecker.check(certificate, model, running))
                    .as(model.key())
                    .isEmpty();
        });
    }
}

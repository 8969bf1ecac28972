package dev.sro.core.dra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.dra.InfeasibilityCertificate.Part;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Certificates that anybody may have written, held against the model alone. */
class CertificateCheckerTest {
    private static final DeviceModel A100 = Catalogue.builtin().model("A100-40GB");

    private static final Part HALVES = new Part(Map.of("7g.40gb", 2L, "3g.20gb", 1L), 2, "halves of a device");

    private static InfeasibilityCertificate certificate(
            long devices, Map<String, Long> counts, Map<String, Long> wanted, Part... parts) {
        return new InfeasibilityCertificate("A100-40GB", devices, counts, wanted, List.of(parts));
    }

    private static List<String> check(InfeasibilityCertificate certificate) {
        return CertificateChecker.check(certificate, A100);
    }

    @Test
    void oneThatIsRightByItselfIsRightWhateverRunsNow() {
        InfeasibilityCertificate right = certificate(2, Map.of("7g.40gb", 2L), Map.of("3g.20gb", 1L), HALVES);

        assertThat(check(right)).isEmpty();
        assertThat(CertificateChecker.check(right, A100, List.of(List.of("7g.40gb"))))
                .contains("it says 2 devices, there are 1");
        assertThat(check(right.among(3, Map.of("7g.40gb", 2L)))).containsExactly("by its weights 3 devices are enough");
    }

    @Test
    void weightsThatADeviceCanExceedProveNothing() {
        assertThat(check(certificate(
                        1, Map.of("3g.20gb", 1L), Map.of("3g.20gb", 1L), new Part(Map.of("3g.20gb", 1L), 1, ""))))
                .singleElement()
                .asString()
                .startsWith("a device can carry {3g.20gb=2}, which weighs 2, not 1 at most");
    }

    @Test
    void nothingIsProvedBesideWhatCannotBe() {
        assertThat(check(certificate(1, Map.of("7g.40gb", 5L), Map.of("3g.20gb", 1L), HALVES)))
                .containsExactly("what it says that runs needs 5 devices by its weights, and it says 1");
    }

    @Test
    void profilesThatTheModelDoesNotHaveAreFound() {
        assertThat(check(certificate(1, Map.of(), Map.of("9g.99gb", 3L), new Part(Map.of("9g.99gb", 9L), 1, ""))))
                .contains("wanted names 9g.99gb, which A100-40GB does not have");
        assertThat(check(certificate(1, Map.of("x", 1L), Map.of("3g.20gb", 1L), HALVES)))
                .containsExactly("counts names x, which A100-40GB does not have");
    }

    @Test
    void numbersThatRunOverProveNothing() {
        long most = Long.MAX_VALUE;
        assertThat(check(certificate(1, Map.of("7g.40gb", most), Map.of("7g.40gb", most), HALVES)))
                .containsExactly("its numbers are too large");
        assertThat(check(certificate(most, Map.of(), Map.of("7g.40gb", most), HALVES)))
                .containsExactly("its numbers are too large");
        assertThat(check(certificate(1, Map.of(), Map.of("7g.40gb", 1L), new Part(Map.of("7g.40gb", most), most, ""))))
                .containsExactly("its numbers are too large");
        assertThat(check(certificate(1, Map.of("7g.40gb", -1L), Map.of("7g.40gb", 1L), HALVES)))
                .containsExactly("it counts less than nothing");
    }

    @Test
    void morePartsThanTheModelHasProfilesAreNotTriedOut() {
        assertThat(check(new InfeasibilityCertificate(
                        "A100-40GB", 1, Map.of(), Map.of("3g.20gb", 1L), Collections.nCopies(100_000, HALVES))))
                .singleElement()
                .asString()
                .startsWith("it has 100000 parts");
    }
}

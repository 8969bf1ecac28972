package dev.sro.core.driver;

import static dev.sro.api.driver.ImageCandidate.Kind.BUILD;
import static dev.sro.api.driver.ImageCandidate.Kind.COMPILE_ON_NODE;
import static dev.sro.api.driver.ImageCandidate.Kind.PREBUILT;
import static dev.sro.core.driver.Fixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.TaggedImages;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaggedCandidatesTest {

    private static final Pool UBUNTU = pool("ubuntu22.04", "5.15.0-91-generic", "amd64");

    private static ImageCandidates named(TaggedImages rules, Pool pool) {
        return TaggedCandidates.named(ImageCandidates.tagged(rules), TagCatalogue.builtIn(), "plugin acme", pool, "");
    }

    private static List<String> texts(ImageCandidates images) {
        return images.candidates().stream()
                .map(one -> one.kind() + " " + one.reference())
                .toList();
    }

    @Test
    void whatIsFoundAndWhatIsBuiltUnderOneNameIsBuiltWhereItIsMissing() {
        TaggedImages rules = TaggedImages.of("r.example/driver", "VersionKernel", "1.2", PREBUILT, BUILD);

        assertThat(texts(named(rules, UBUNTU))).containsExactly("BUILD r.example/driver:1.2-5.15.0-91-generic");
    }

    @Test
    void systemsAreCalledAsTheSchemeCallsThem() {
        TaggedImages rules = TaggedImages.of("r.example/driver", "Nvidia", "580.1", PREBUILT, COMPILE_ON_NODE);

        assertThat(texts(named(rules, UBUNTU)))
                .containsExactly(
                        "PREBUILT r.example/driver:580-5.15.0-91-generic-ubuntu22.04",
                        "COMPILE_ON_NODE r.example/driver:580.1-ubuntu22.04");
        assertThat(texts(named(rules, pool("rhel9.4", "5.14.0-427.el9.x86_64", "amd64"))))
                .last()
                .isEqualTo("COMPILE_ON_NODE r.example/driver:580.1-rhel9");
    }

    @Test
    void aSystemOfWhichNotEnoughIsKnownIsAVerdictOnItsPool() {
        TaggedImages rules = TaggedImages.of("r.example/driver", "Nvidia", "580.1", PREBUILT);

        Problem problem = named(rules, pool("rhcos9.4", "5.14.0-427.el9.x86_64", "amd64"))
                .none()
                .orElseThrow();

        assertThat(problem.owner()).isEqualTo(Problem.Owner.VENDOR);
        assertThat(problem.message())
                .startsWith("plugin acme: TaggedImages.tags.prebuilt: ")
                .contains("osTag");
        assertThat(named(TaggedImages.of("r.example/d", "Kernal", "", PREBUILT), UBUNTU)
                        .none()
                        .orElseThrow()
                        .message())
                .contains("TaggedImages.tags.scheme: \"Kernal\" is none of [Amd, Kernel");
    }

    @Test
    void anOddKernelIsATagAllTheSame() {
        TaggedImages rules = TaggedImages.of("r.example/driver", "Kernel", "", BUILD);

        assertThat(texts(named(rules, pool("6.1.0+")))).containsExactly("BUILD r.example/driver:6.1.0");
    }

    @Test
    void oneImageCannotHaveModulesAndCompileThem() {
        TaggedImages rules = TaggedImages.builder()
                .repository("r.example/driver")
                .version("sha256:" + "0".repeat(64))
                .addKinds(COMPILE_ON_NODE)
                .build();

        assertThat(texts(named(rules, UBUNTU)))
                .containsExactly("COMPILE_ON_NODE r.example/driver@sha256:" + "0".repeat(64));
    }

    @Test
    void allElseThatIsSaidOfThemStays() {
        ImageCandidates images = ImageCandidates.builder()
                .tagged(TaggedImages.builder()
                        .repository("r.example/driver")
                        .addKinds(PREBUILT)
                        .addPullSecrets("login")
                        .verifyKernel(true)
                        .build())
                .keepCurrentUntilAvailable(false)
                .pollEvery(Duration.ofMinutes(1))
                .build();

        ImageCandidates named = TaggedCandidates.named(images, TagCatalogue.builtIn(), "plugin acme", UBUNTU, "");

        assertThat(named.keepCurrentUntilAvailable()).isFalse();
        assertThat(named.pollEvery()).contains(Duration.ofMinutes(1));
        ImageCandidate candidate = named.candidates().get(0);
        assertThat(candidate.pullSecrets()).containsExactly("login");
        assertThat(candidate.verifyKernel()).isTrue();
        assertThat(TaggedCandidates.named(named, TagCatalogue.builtIn(), "plugin acme", UBUNTU, ""))
                .isEqualTo(named);
    }

    @Test
    void candidatesAreNamedOrHaveRules() {
        TaggedImages rules = TaggedImages.of("r.example/driver", "Kernel", "", PREBUILT);
        assertThatThrownBy(() -> ImageCandidates.builder()
                        .tagged(rules)
                        .addCandidates(ImageCandidate.of(PREBUILT, "r.example/a:1"))
                        .build())
                .hasMessageStartingWith("ImageCandidates.tagged: ");
        assertThatThrownBy(() -> TaggedImages.of("r.example/driver:1", "Kernel", "", PREBUILT))
                .hasMessageStartingWith("TaggedImages.repository: ");
        assertThatThrownBy(() -> TaggedImages.of("r.example/driver", "Kernel", ""))
                .hasMessageStartingWith("TaggedImages.kinds: ");
    }
}

package dev.sro.core.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.SignPlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SecretReadsTest {

    private static final String IMAGE = "registry.example.com/acme/driver:1";
    private static final String SIGNED = "registry.example.com/acme/driver:1-signed";

    private static DriverRequest request(List<ImageCandidate> candidates, Map<String, DriverRequest.Making> makings) {
        return new DriverRequest(
                candidates,
                Optional.empty(),
                true,
                Optional.empty(),
                false,
                makings,
                Optional.empty(),
                List.of("driver-login"),
                List.of(),
                true);
    }

    private static SignPlan sign() {
        return SignPlan.builder()
                .unsignedImage(IMAGE)
                .signedImage(SIGNED)
                .keySecret("key")
                .certSecret("cert")
                .pushSecret("push-login")
                .addFiles("/opt/acme.ko")
                .build();
    }

    @Test
    void loginsAreFetchedAndWhatBuildsTakeInIsWatched() {
        ImageCandidate candidate = ImageCandidate.builder()
                .reference(IMAGE)
                .kind(ImageCandidate.Kind.BUILD)
                .addPullSecrets("image-login")
                .build();
        BuildPlan build = BuildPlan.builder()
                .dockerfileConfigMap("dockerfile")
                .pushTo(IMAGE)
                .addSecrets("license")
                .addPullSecrets("base-login")
                .pushSecret("push-login")
                .gitUri("https://git.example.com/acme.git")
                .gitSecret("git-login")
                .build();

        SecretReads reads = SecretReads.of(List.of(request(
                List.of(candidate), Map.of(IMAGE, new DriverRequest.Making(Optional.of(build), Optional.of(sign()))))));

        assertThat(reads.fetched()).containsExactly("base-login", "driver-login", "image-login");
        assertThat(reads.watched()).containsExactly("cert", "key", "license");
        assertThat(reads.isEmpty()).isFalse();
    }

    @Test
    void whatIsSignedAndNotBuiltHereIsLookedUpWithTheLoginToPush() {
        SecretReads reads = SecretReads.of(List.of(
                request(List.of(), Map.of(SIGNED, new DriverRequest.Making(Optional.empty(), Optional.of(sign()))))));

        assertThat(reads.fetched()).containsExactly("driver-login", "push-login");
    }

    @Test
    void nothingIsReadWhereNothingIsAsked() {
        assertThat(SecretReads.of(List.of(DriverRequest.NOTHING))).isEqualTo(SecretReads.NONE);
        assertThat(SecretReads.NONE.isEmpty()).isTrue();
    }
}

package dev.sro.core.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageReferenceTest {
    private static final String DIGEST = "sha256:" + "a".repeat(64);

    @ParameterizedTest
    @CsvSource({
        "ubuntu, docker.io, library/ubuntu, latest",
        "ubuntu:22.04, docker.io, library/ubuntu, 22.04",
        "team/driver, docker.io, team/driver, latest",
        "docker.io/ubuntu, docker.io, library/ubuntu, latest",
        "index.docker.io/ubuntu, docker.io, library/ubuntu, latest",
        "quay.io/a/b/c:v1, quay.io, a/b/c, v1",
        "registry.local:5000/driver, registry.local:5000, driver, latest",
        "registry.local:5000/team/driver:v1, registry.local:5000, team/driver, v1",
        "localhost/driver:v1, localhost, driver, v1",
        "docker://quay.io/a/b:v1, quay.io, a/b, v1",
        "[::1]:5000/a:v1, [::1]:5000, a, v1",
        "image-registry.openshift-image-registry.svc:5000/ns/x:v4.18.0-305.el8.x86_64,"
                + " image-registry.openshift-image-registry.svc:5000, ns/x, v4.18.0-305.el8.x86_64"
    })
    void readsNamesWithTags(String text, String host, String path, String tag) {
        assertThat(ImageReference.parse(text)).isEqualTo(new ImageReference(host, path, tag, ""));
    }

    @ParameterizedTest
    @CsvSource({"registry.local:5000/team/driver, ''", "registry.local:5000/team/driver:v1, v1"})
    void readsDigests(String name, String tag) {
        ImageReference reference = ImageReference.parse(name + "@" + DIGEST);

        assertThat(reference).isEqualTo(new ImageReference("registry.local:5000", "team/driver", tag, DIGEST));
        assertThat(reference.version()).isEqualTo(DIGEST);
        assertThat(reference).hasToString(name + "@" + DIGEST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "Upper",
                "quay.io/",
                "quay.io/a:",
                "a@sha256:1",
                "a b",
                "quay.io/a//b",
                "-a",
                "a:b:c",
                "h_:1/a"
            })
    void refusesWhatIsNone(String text) {
        assertThatThrownBy(() -> ImageReference.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no image");
    }
}

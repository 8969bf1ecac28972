package dev.sro.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageMirrorsTest {

    private static final ImageMirrors MIRRORS = ImageMirrors.parse(
            "quay.io=m.example.com/quay, quay.io/acme=m.example.com:5000/acme docker.io=m.example.com/hub,"
                    + "docker.io/library/busybox=tools.example.com/busybox,registry.example.com:5000=m.example.com/local,plain=other");

    @ParameterizedTest
    @CsvSource({
        "quay.io/prometheus/node-exporter:v1, m.example.com/quay/prometheus/node-exporter:v1",
        "quay.io/acme/driver:1, m.example.com:5000/acme/driver:1",
        "quay.io/acmex/driver:1, m.example.com/quay/acmex/driver:1",
        "quay.io/acme@sha256:abc, m.example.com:5000/acme@sha256:abc",
        "quay.io/acme/driver:1@sha256:abc, m.example.com:5000/acme/driver:1@sha256:abc",
        "nvidia/samples:vectorAdd, m.example.com/hub/nvidia/samples:vectorAdd",
        "busybox, tools.example.com/busybox",
        "busybox:1, tools.example.com/busybox:1",
        "alpine:3, m.example.com/hub/library/alpine:3",
        "registry.example.com:5000/a/b:1, m.example.com/local/a/b:1",
        "registry.example.com/a/b:1, registry.example.com/a/b:1",
        "localhost/a:1, localhost/a:1",
        "localhost:5000/a, localhost:5000/a",
        "quay.io.example.com/a:1, quay.io.example.com/a:1",
        "plain:5000/a, plain:5000/a"
    })
    void theMostSpecificPrefixWinsAndTagAndDigestStay(String image, String expected) {
        assertThat(MIRRORS.of(image)).isEqualTo(expected);
    }

    @Test
    void theFirstOnesGoBeforeTheOthers() {
        ImageMirrors both = ImageMirrors.parse("a.example/x=one.example")
                .over(ImageMirrors.parse("a.example/x=two.example,a.example=three.example"));
        assertThat(both.of("a.example/x/i:1")).isEqualTo("one.example/i:1");
        assertThat(both.of("a.example/y/i:1")).isEqualTo("three.example/y/i:1");
        assertThat(ImageMirrors.parse(" ").isEmpty()).isTrue();
        assertThat(ImageMirrors.NONE.of("busybox")).isEqualTo("busybox");
    }

    @ParameterizedTest
    @ValueSource(strings = {"quay.io", "quay.io=", "=m", "quay.io/a:1=m", "quay.io=m@sha256:a", "https://q=m", "a=b=c"})
    void whatIsNoPairOfPrefixesIsRefused(String text) {
        assertThatThrownBy(() -> ImageMirrors.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\" is no FROM=TO");
    }

    @Test
    void aPrefixThatIsThereTwiceIsRefused() {
        assertThatThrownBy(() -> ImageMirrors.parse("a=b,a=c")).hasMessage("\"a\" is there twice; remove one of them");
    }
}

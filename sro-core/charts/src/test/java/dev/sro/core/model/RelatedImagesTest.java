package dev.sro.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelatedImagesTest {

    private static final String DRIVER = "quay.io/acme/driver@sha256:" + "a".repeat(64);

    private static final RelatedImages IMAGES = RelatedImages.of(Map.of(
            "RELATED_IMAGE_QUAY_IO_ACME_DRIVER_1_0_UBUNTU22_04",
            DRIVER,
            "RELATED_IMAGE_DOCKER_IO_LIBRARY_BUSYBOX_1",
            " quay.io/acme/busybox:1 ",
            "RELATED_IMAGE_QUAY_IO_ACME_EMPTY_1",
            "",
            "HOME",
            "nowhere"));

    @ParameterizedTest
    @CsvSource({
        "quay.io/acme/driver:1.0-ubuntu22.04, RELATED_IMAGE_QUAY_IO_ACME_DRIVER_1_0_UBUNTU22_04",
        "busybox:1, RELATED_IMAGE_DOCKER_IO_LIBRARY_BUSYBOX_1",
        "registry.example:5000/a/b_c:V2, RELATED_IMAGE_REGISTRY_EXAMPLE_5000_A_B_C_V2"
    })
    void aVariableIsNamedAfterTheWholeImage(String image, String variable) {
        assertThat(RelatedImages.variable(image)).isEqualTo(variable);
    }

    @Test
    void onlyImagesThatAVariableNamesAreReplaced() {
        assertThat(IMAGES.of("quay.io/acme/driver:1.0-ubuntu22.04")).isEqualTo(DRIVER);
        assertThat(IMAGES.of("busybox:1")).isEqualTo("quay.io/acme/busybox:1");
        assertThat(IMAGES.of("quay.io/acme/driver:1.1")).isEqualTo("quay.io/acme/driver:1.1");
        assertThat(IMAGES.of("quay.io/acme/empty:1")).isEqualTo("quay.io/acme/empty:1");
        assertThat(IMAGES.of(DRIVER)).as("once replaced it stays").isEqualTo(DRIVER);
        assertThat(RelatedImages.of(Map.of("HOME", "nowhere")).isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"quay.io/acme/driver", "driver:1", "quay.io/acme/driver@sha256:12", "quay.io/ACME/x:1"})
    void whatIsNoImageIsRefusedByTheNameOfItsVariable(String image) {
        assertThatThrownBy(() -> RelatedImages.of(Map.of("RELATED_IMAGE_X", image)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("RELATED_IMAGE_X: \"" + image + "\" is no image");
    }

    @Test
    void mirrorsHoldForWhatReplacedAnImage() {
        ImageMirrors operator =
                ImageMirrors.parse("quay.io/acme=mirror.example/acme").after(IMAGES);
        assertThat(operator.of("quay.io/acme/driver:1.0-ubuntu22.04"))
                .isEqualTo("mirror.example/acme/driver@sha256:" + "a".repeat(64));
        ImageMirrors resource = ImageMirrors.parse("quay.io/acme/driver=own.example/driver");
        assertThat(resource.over(operator).of("quay.io/acme/driver:1.0-ubuntu22.04"))
                .as("mirrors of a special resource, images of the operator")
                .isEqualTo("own.example/driver@sha256:" + "a".repeat(64));
        assertThat(resource.over(ImageMirrors.NONE.after(IMAGES)).of("busybox:1"))
                .isEqualTo("quay.io/acme/busybox:1");
        assertThat(ImageMirrors.NONE.after(IMAGES).isEmpty()).isFalse();
        assertThat(ImageMirrors.NONE.over(operator).of("busybox:1")).isEqualTo("mirror.example/acme/busybox:1");
    }
}

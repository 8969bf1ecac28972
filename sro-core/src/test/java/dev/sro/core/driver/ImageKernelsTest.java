package dev.sro.core.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.KernelVersion;
import dev.sro.core.image.ToolkitRelease;
import java.util.Arrays;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageKernelsTest {

    private static SortedSet<String> words(@Nullable String text) {
        return text == null
                ? new TreeSet<>()
                : Arrays.stream(text.split(" ")).collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        folder, nothing read          | 6.1.0       | -     | 6.1.0 6.2.0 | -           | -     | -
        folder and vermagic           | 6.1.0       | -     | 6.1.0       | 6.1.0       | -     | -
        one of the modules is enough  | 6.1.0       | -     | 6.1.0       | 6.0.0 6.1.0 | -     | -
        built for the builder's own   | 6.1.0       | -     | 6.1.0       | 6.0.0       | -     | were compiled for 6.0.0
        and a good one elsewhere      | 6.1.0       | -     | 6.1.0       | 6.0.0       | 6.1.0 | were compiled for 6.0.0
        elsewhere only                | 6.1.0       | -     | -           | -           | 6.1.0 | -
        elsewhere for another         | 6.1.0       | -     | -           | -           | 6.0.0 | it is for kernel 6.0.0 and not for 6.1.0
        folder of another             | 6.1.0       | -     | 6.2.0       | 6.2.0       | -     | it is for kernel 6.2.0 and not for 6.1.0
        toolkit of another            | 6.1.0       | 6.2.0 | -           | -           | -     | it is for kernel 6.2.0 and not for 6.1.0
        nothing at all                | 6.1.0       | -     | -           | -           | -     | no modules for any kernel
        the plus at the end           | 6.1.0+      | -     | 6.1.0       | 6.1.0       | -     | -
        the plus in the vermagic      | 6.1.0+      | -     | 6.1.0       | 6.1.0+      | -     | -
        """)
    void sayWhetherThereAreModulesForAKernel(
            String id,
            String kernel,
            @Nullable String toolkit,
            @Nullable String folders,
            @Nullable String compiled,
            @Nullable String elsewhere,
            @Nullable String mismatch) {
        Optional<ToolkitRelease> release = Optional.ofNullable(toolkit).map(name -> new ToolkitRelease(name, "", ""));
        Optional<String> found = new ImageKernels(release, words(folders), words(compiled), words(elsewhere))
                .mismatch(new KernelVersion(kernel));
        if (mismatch == null) {
            assertThat(found).as(id).isEmpty();
        } else {
            assertThat(found).as(id).hasValueSatisfying(why -> assertThat(why).contains(mismatch));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "5.14.0-1.el9, amd64, 5.14.0-1.el9.x86_64, '', true",
        "5.14.0-1.el9.x86_64+rt, amd64, 5.14.0-1.el9.x86_64, 5.14.0-1.el9.x86_64+rt, true",
        "5.14.0-2.el9.x86_64, amd64, 5.14.0-1.el9.x86_64, '', false",
    })
    void theToolkitIsForItsTwoKernels(
            String kernel, String architecture, String plain, String realTime, boolean expected) {
        assertThat(ImageKernels.isFor(
                        Optional.of(new ToolkitRelease(plain, realTime, "")), new KernelVersion(kernel), architecture))
                .isEqualTo(expected);
    }
}

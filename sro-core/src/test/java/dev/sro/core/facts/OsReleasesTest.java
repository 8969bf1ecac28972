package dev.sro.core.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.OsRelease;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class OsReleasesTest {

    private static final String NFD = "feature.node.kubernetes.io/system-os_release.";

    @ParameterizedTest(name = "{0} {1}")
    @CsvFileSource(resources = "rhcos.csv", numLinesToSkip = 1)
    void takesRhcosBuildNumbersApart(String id, String osImage, @Nullable String openShift, @Nullable String rhel) {
        if (openShift == null || rhel == null) {
            assertThat(OsReleases.rhcosBuild(osImage)).as(id).isEmpty();
        } else {
            assertThat(OsReleases.rhcosBuild(osImage)).as(id).contains(new OsReleases.RhcosBuild(openShift, rhel));
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "os-images.csv", numLinesToSkip = 1)
    void readsTheSameReleaseWithAndWithoutNodeFeatureDiscovery(
            String osImage,
            String nfdId,
            String nfdVersionId,
            @Nullable String nfdRhelVersion,
            String id,
            String version) {
        Map<String, String> labels = new HashMap<>();
        labels.put(NFD + "ID", nfdId);
        labels.put(NFD + "VERSION_ID", nfdVersionId);
        if (nfdRhelVersion != null) {
            labels.put(NFD + "RHEL_VERSION", nfdRhelVersion);
        }
        assertThat(OsReleases.parse(osImage, Map.of())).isEqualTo(new OsRelease(id, version));
        assertThat(OsReleases.parse(osImage, labels)).isEqualTo(new OsRelease(id, version));
    }

    @ParameterizedTest
    @CsvSource({"'',unknown,''", "'(?) 3',unknown,3", "Windows Server 2022,windows,2022", "MyOS 7.1,myos,7.1"})
    void namesASystemThatItDoesNotKnowAfterItsFirstWord(String osImage, String id, String version) {
        assertThat(OsReleases.parse(osImage, Map.of())).isEqualTo(new OsRelease(id, version));
    }

    @Test
    void believesNodeFeatureDiscoveryAboutASystemThatItDoesNotKnow() {
        assertThat(OsReleases.parse("Something 1", Map.of(NFD + "ID", "some", NFD + "VERSION_ID", "1.0")))
                .isEqualTo(new OsRelease("some", "1.0"));
    }

    // VERSION_ID, OSTREE_VERSION, RHEL_VERSION, and the version; the image says nothing.
    @ParameterizedTest
    @CsvSource({
        "4.3,,,8.0",
        "4.4,,,8.1",
        "4.5,,,8.2",
        "4.6,,,8.2",
        "4.7,,,8.3",
        "4.8,,,8.4",
        "4.10,410.84.202201102104-0,,8.4",
        "4.16,416.94.202406172220-0,,9.4",
        "4.10,410.84.202201102104-0,8.6,8.6",
        "4.19,,,4.19",
    })
    void rhelCoreOsIsOfARhelWhicheverLabelTells(
            String openShift, @Nullable String build, @Nullable String rhel, String version) {
        Map<String, String> labels = new HashMap<>(Map.of(NFD + "ID", "rhcos", NFD + "VERSION_ID", openShift));
        if (build != null) {
            labels.put(NFD + "OSTREE_VERSION", build);
        }
        if (rhel != null) {
            labels.put(NFD + "RHEL_VERSION", rhel);
        }
        assertThat(OsReleases.parse("CoreOS", labels)).isEqualTo(new OsRelease("rhcos", version));
    }

    @Test
    void takesTheVersionFromTheImageWhereOnlyTheIdIsLabelled() {
        assertThat(OsReleases.parse("Ubuntu 22.04.1 LTS", Map.of(NFD + "ID", "ubuntu")))
                .isEqualTo(new OsRelease("ubuntu", "22.04"));
    }
}

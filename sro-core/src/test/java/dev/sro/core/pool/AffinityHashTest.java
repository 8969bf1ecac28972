package dev.sro.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.KernelVersion;
import dev.sro.api.OsRelease;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class AffinityHashTest {

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "affinity.csv", numLinesToSkip = 1)
    void isThatOfSro(String id, String os, String kernel, String hash) {
        assertThat(PoolNames.affinityHash(os, kernel)).as(id).isEqualTo(hash);
        String distribution = os.equals("22.04") ? "ubuntu" : "rhcos";
        assertThat(hash(kernel, distribution, os, "amd64", Map.of())).as(id).isEqualTo(hash);
    }

    @Test
    void replacesUnderscoresOfTheKernelOnly() {
        assertThat(PoolNames.affinityHash("8_4", "1_2_3")).isEqualTo(PoolNames.affinityHash("8_4", "1-2-3"));
        assertThat(PoolNames.affinityHash("8_4", "1.2.3")).isNotEqualTo(PoolNames.affinityHash("8-4", "1.2.3"));
    }

    @Test
    void tellsArchitecturesApartWhereTheKernelStringDoesNot() {
        assertThat(hash("5.15.0-91-generic", "ubuntu", "22.04", "arm64", Map.of()))
                .isNotEqualTo(hash("5.15.0-91-generic", "ubuntu", "22.04", "amd64", Map.of()));
        assertThat(hash("4.18.0-305.el8.aarch64", "rhcos", "8.4", "arm64", Map.of()))
                .isEqualTo(PoolNames.affinityHash("8.4", "4.18.0-305.el8.aarch64"));
    }

    @Test
    void tellsDistributionsWithTheSameKernelApart() {
        String kernel = "4.18.0-305.45.1.el8_4.x86_64";
        assertThat(hash(kernel, "rhcos", "8.4", "amd64", Map.of()))
                .isNotEqualTo(hash(kernel, "rocky", "8.4", "amd64", Map.of()));
    }

    @Test
    void tellsPluginKeysApartThatLookAlikeWhenJoined() {
        assertThat(hash("1.2.3", "ubuntu", "22.04", "amd64", Map.of("a", "1-b=1:2")))
                .isNotEqualTo(hash("1.2.3", "ubuntu", "22.04", "amd64", Map.of("a", "1", "b", "2")));
    }

    private static String hash(String kernel, String os, String version, String arch, Map<String, String> key) {
        return PoolNames.affinityHash(new KernelVersion(kernel), new OsRelease(os, version), arch, new TreeMap<>(key));
    }
}

package dev.sro.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaBundleTest {

    @TempDir
    private Path folder;

    @Test
    void isReadAgainAndABrokenOneIsNotTaken() throws Exception {
        Path file = folder.resolve("ca.crt");
        CaBundle bundle = new CaBundle(file);
        assertThat(bundle.text()).isEmpty();
        assertThat(bundle.fault()).as("somebody else may write it").isEmpty();

        Certificates.write(folder, "EC", true);
        Files.copy(folder.resolve("tls.crt"), file);
        assertThat(bundle.reload()).isTrue();
        String first = bundle.text().orElseThrow();
        assertThat(Base64.getDecoder().decode(first)).isEqualTo(Files.readAllBytes(file));
        assertThat(bundle.reload()).isFalse();

        for (String broken : new String[] {"", "nothing"}) {
            Files.writeString(file, broken);
            assertThat(bundle.reload()).isFalse();
            assertThat(bundle.text()).hasValue(first);
            assertThat(bundle.fault()).contains(file.toString());
        }

        Files.delete(file);
        assertThat(bundle.reload()).isTrue();
        assertThat(bundle.text()).isEmpty();
        assertThat(bundle.fault()).isEmpty();
    }
}

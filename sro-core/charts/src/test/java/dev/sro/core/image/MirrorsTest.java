package dev.sro.core.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MirrorsTest {
    private static final String DIGEST = "@sha256:" + "a".repeat(64);

    /** As OpenShift writes it, with other keys and comments that are of no consequence here. */
    private static final String CONF = """
        unqualified-search-registries = ["registry.access.redhat.com", 'docker.io'] # two of them
        short-name-mode = ""

        [[registry]]
          prefix = ""
          location = "quay.io/openshift-release-dev/ocp-v4.0-art-dev"
          mirror-by-digest-only = true

          [[registry.mirror]]
            location = "mirror.local:5000/ocp/release"
          [[registry.mirror]]
            location = "second.local/ocp"
            insecure = true

        [[registry]]
        prefix = "quay.io/team"
        location = "quay.io/team"
        mirror = [{location = "tags.local/t", pull-from-mirror = "tag-only"}, {location = "all.local/t"}]

        [[registry]]
        prefix = "quay.io"
        location = "cache.local:443/quay"

        [[registry]]
        prefix = "*.example.com"
        insecure = true

        [[registry]]
        location = "bad.local"
        blocked = true

        [aliases]
        "ubuntu" = "docker.io/library/ubuntu"
        """;

    private final Mirrors mirrors = Mirrors.parse("registries.conf", CONF);

    private List<String> sources(String image) throws IOException {
        return mirrors.of(ImageReference.parse(image)).stream()
                .map(source -> source.reference().repository() + (source.insecure() ? " insecure" : ""))
                .toList();
    }

    /** M1: digests go to all mirrors; M2: tags to the origin where mirrors are for digests; M3: no entry, the origin. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        M1 | quay.io/openshift-release-dev/ocp-v4.0-art-dev@D | mirror.local:5000/ocp/release;second.local/ocp insecure;quay.io/openshift-release-dev/ocp-v4.0-art-dev
        M2 | quay.io/openshift-release-dev/ocp-v4.0-art-dev:v1 | quay.io/openshift-release-dev/ocp-v4.0-art-dev
        M3 | docker.io/library/ubuntu | docker.io/library/ubuntu
        M4 the longest prefix | quay.io/team/driver:v1 | tags.local/t/driver;all.local/t/driver;quay.io/team/driver
        M5 by tag only | quay.io/team/driver@D | all.local/t/driver;quay.io/team/driver
        M6 another location | quay.io/teams/driver:v1 | cache.local:443/quay/teams/driver
        M7 all hosts of a domain | a.b.example.com/x:v1 | a.b.example.com/x insecure
        M8 but not the domain | example.com/x:v1 | example.com/x
        """)
    void saysWhereToRead(String id, String image, String expected) throws IOException {
        assertThat(sources(image.replace("@D", DIGEST))).as(id).containsExactly(expected.split(";"));
    }

    @Test
    void keepsTagAndDigest() throws IOException {
        assertThat(mirrors.of(ImageReference.parse("quay.io/team/driver:v1"))
                        .get(0)
                        .reference())
                .isEqualTo(ImageReference.parse("tags.local/t/driver:v1"));
    }

    @Test
    void aRegistryMayBeBlocked() {
        assertThatThrownBy(() -> sources("bad.local/x:v1"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("registries.conf blocks registry bad.local");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        [[registry]]%insecure = true                          | neither prefix nor location
        [[registry]]%location = "a.b"%[[registry.mirror]]     | has no location
        [[registry]]%location = "a.b"%mirror = [{location = "m.l", pull-from-mirror = "never"}] | pull-from-mirror of m.l
        [[registry]%location = "a.b"                          | line 1: ']' is missing
        [[registry]]%location = a.b                           | line 2: "a.b" is no value
        [[registry]]%location = "a.b                          | line 2: the text does not end on its line
        [[registry]]%location = "a"%location = "b"            | line 3: location is there twice
        x = [1, 2                                             | it ends too early
        x = {a = 1                                            | it ends too early
        x = 1 y = 2                                           | one pair is on a line
        x = 1%[[x]]                                           | x is a table and a list of tables
        """)
    void saysWhatIsWrong(String conf, String why) {
        assertThatThrownBy(() -> Mirrors.parse("registries.conf", conf.replace('%', '\n')))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("registries.conf")
                .hasMessageContaining(why);
    }

    @Test
    void anEmptyFileSaysNothing() throws IOException {
        ImageReference image = ImageReference.parse("quay.io/a:v1");
        assertThat(Mirrors.parse("f", "# nothing\n").of(image)).containsExactly(new Mirrors.Source(image, false));
    }
}

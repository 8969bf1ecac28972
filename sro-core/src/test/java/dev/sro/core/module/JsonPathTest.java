package dev.sro.core.module;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.yaml.Yaml;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPathTest {
    private static final Map<String, Object> OBJECT =
            Yaml.documents("test", """
                kind: ManagedCluster
                metadata:
                  name: spoke1
                  labels: {openshiftVersion: 4.10.3, "a.b/c": d}
                status:
                  count: 3
                  ready: true
                  none: null
                  clusterClaims:
                  - {name: id.k8s.io, value: "7"}
                  - {name: version.openshift.io, value: 4.10.3}
                  - {name: "with \\"quotes\\"", value: q}
                  versions: [a, b, c, d]
                  sizes: [{"n": 1}, {"n": 2.5}, {"n": 10}]
                """).get(0);

    /** By the rules of kubectl's documentation. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        $.metadata.labels.openshiftVersion                                | 4.10.3
        .metadata.labels.openshiftVersion                                 | 4.10.3
        {.metadata.labels.openshiftVersion}                               | 4.10.3
        metadata.name                                                     | spoke1
        $['metadata']['name']                                             | spoke1
        $.metadata.labels['a.b/c']                                        | d
        $.metadata.labels.a\\.b/c                                         | d
        $.metadata["name"]                                                | spoke1
        $.status.clusterClaims[?(@.name == "version.openshift.io")].value | 4.10.3
        $.status.clusterClaims[?(@.name=='version.openshift.io')].value   | 4.10.3
        $.status.clusterClaims[?(@.name != "id.k8s.io")].value            | 4.10.3,q
        $.status.clusterClaims[?(@.name == "with \\"quotes\\"")].value    | q
        $.status.clusterClaims[?(@.value)].name                           | id.k8s.io,version.openshift.io,with "quotes"
        $.status.clusterClaims[?(@.nothing)].name                         |
        $.status.sizes[?(@.n > 2)].n                                      | 2.5,10
        $.status.sizes[?(@.n <= 2.5)].n                                   | 1,2.5
        $.status.sizes[?(@.n == 10)].n                                    | 10
        $.status.clusterClaims[1].value                                   | 4.10.3
        $.status.clusterClaims[-1].value                                  | q
        $.status.clusterClaims[9].value                                   |
        $.status.versions[1:3]                                            | b,c
        $.status.versions[:2]                                             | a,b
        $.status.versions[-2:]                                            | c,d
        $.status.versions[*]                                              | a,b,c,d
        $.metadata.labels.*                                               | d,4.10.3
        $..name                                                           | spoke1,id.k8s.io,version.openshift.io,with "quotes"
        $.metadata['name','none','labels'].openshiftVersion               | 4.10.3
        $.status.count                                                    | 3
        $.status.ready                                                    | true
        $.status.none                                                     |
        $.nothing.at.all                                                  |
        """)
    void finds(String path, String expected) {
        String found =
                JsonPath.parse(path).find(OBJECT).stream().map(String::valueOf).collect(Collectors.joining(","));
        assertThat(found).isEqualTo(expected == null ? "" : expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "$",
                "$.",
                "$.a[",
                "$.a[?(",
                "$.a[?(@.b == )]",
                "$.a[?(@.b ~ 1)]",
                "$.a[?(@.b == x)]",
                "$.a['b]",
                "$.a[x]",
                "$.a b",
                "$.a]",
                "$..",
                "a('b')"
            })
    void refusesWhatIsNone(String path) {
        assertThatThrownBy(() -> JsonPath.parse(path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no JSONPath");
    }
}

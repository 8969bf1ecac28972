package dev.sro.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Fnv1a64Test {

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "H1,'',cbf29ce484222325",
        "H2,special-resource-operator,20db61ac8744a54a",
        "H3,8.4-4.18.0-305.19.1.el8-4.x86-64,bfb16b50984f16f0",
        "H10,9.4-5.14.0-427.11.1.el9-4.x86-64,3ede8066011da14",
    })
    void hashesAsSroAlwaysDid(String id, String text, String hex) {
        assertThat(Fnv1a64.hex(text)).as(id).isEqualTo(hex);
    }
}

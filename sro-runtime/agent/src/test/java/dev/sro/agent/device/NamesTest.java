package dev.sro.agent.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.slicing.catalogue.Catalogue;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    @ParameterizedTest
    @CsvSource({
        "0000:3b:00.0, 0000:3b:00.0",
        "00000000:3B:00.0, 0000:3b:00.0",
        "00010000:AF:1f.7, 10000:af:1f.7",
        "3b:00, 0000:3b:00.0"
    })
    void addressesAreReadAsDriverAndSysfsWriteThem(String text, String sysfs) {
        assertThat(PciAddress.of(text)).hasToString(sysfs);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3b", "0000:3b:20.0", "0000:3b:00.8", "GPU-1", "0000:3b:00.0\n"})
    void whatIsNoAddressIsRefused(String text) {
        assertThatThrownBy(() -> PciAddress.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("such as 0000:3b:00.0");
    }

    /** P2 and P7 of DAS: profiles with something behind the name were taken for others. */
    @Test
    void everyProfileOfEveryMigModelHasANameAndALabelOfItsOwn() {
        Catalogue.builtin().models().stream()
                .filter(model -> model.scheme().equals("mig"))
                .forEach(model -> {
                    Set<String> labels = new HashSet<>();
                    model.profiles().forEach(profile -> {
                        assertThat(ProfileNames.problem(profile.name())).isEmpty();
                        for (int start : profile.starts()) {
                            String device = ProfileNames.device(PciAddress.of("0000:3b:00.0"), profile.name(), start);
                            assertThat(device).matches("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])");
                            assertThat(labels.add(device)).as(device).isTrue();
                        }
                    });
                });
    }

    @Test
    void partsOfAnInstanceAreRefusedWithWhatToAskForInstead() {
        assertThat(ProfileNames.problem("1c.3g.20gb"))
                .hasValueSatisfying(why -> assertThat(why).contains("ask for the whole instance 3g.20gb"));
    }
}

package dev.sro.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices are known by the labels of Node Feature Discovery. */
class PciDeviceTest {

    @Test
    void anIdHasLowerCaseDigits() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PciDevice("", "10DE", ""))
                .withMessageStartingWith("PciDevice.vendor: \"10DE\"");
    }

    /** The forms are those that NFD writes, depending on its setting {@code deviceLabelFields}. */
    @ParameterizedTest
    @CsvSource({
        "pci-10de.present, '', 10de, ''",
        "pci-0302_10de.present, 0302, 10de, ''",
        "pci-0302_10de_20b0.present, 0302, 10de, 20b0",
        "pci-0302_10de_20b0_10de_1463.present, 0302, 10de, 20b0"
    })
    void readsPciDevicesFromEveryFormOfLabel(String label, String deviceClass, String vendor, String device) {
        assertThat(PciDevice.of(Map.of("feature.node.kubernetes.io/" + label, "true")))
                .containsExactly(new PciDevice(deviceClass, vendor, device));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"pci-0302_10de.sriov.capable", "pci-gpu.present", "usb-ff_10de.present", "cpu-10de.present"})
    void takesNoOtherLabelForAPciDevice(String label) {
        assertThat(PciDevice.of(Map.of("feature.node.kubernetes.io/" + label, "true")))
                .isEmpty();
    }
}

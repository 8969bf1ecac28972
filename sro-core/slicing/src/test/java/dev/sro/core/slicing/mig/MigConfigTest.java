package dev.sro.core.slicing.mig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.slicing.input.InputException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MigConfigTest {
    private static final String FILE = """
            version: v1
            mig-configs:
              all-disabled:
                - devices: all
                  mig-enabled: false
              all-balanced:
                - device-filter: ["0x20B010DE", "0x20F110DE"]
                  devices: all
                  mig-enabled: true
                  mig-devices:
                    "1g.5gb": 2
                    "2g.10gb": 1
                    "3g.20gb": 1
                - device-filter: "0x233010DE"
                  devices: [0, 2]
                  mig-enabled: true
                  mig-devices:
                    "1g.10gb+me": 1
                    "1c.3g.40gb": 3
              "7": []
            """;

    @Test
    void readsTheGrammar() {
        MigConfig config = MigConfig.parse("config.yaml", FILE);
        assertThat(config.configs()).containsOnlyKeys("all-disabled", "all-balanced", "7");
        assertThat(config.configs())
                .containsEntry("all-disabled", List.of(new MigEntry(List.of(), Optional.empty(), false, Map.of())));
        assertThat(config.configs().values().stream().flatMap(List::stream))
                .contains(new MigEntry(
                        List.of("0x233010DE"),
                        Optional.of(List.of(0, 2)),
                        true,
                        Map.of("1g.10gb+me", 1, "1c.3g.40gb", 3)));
    }

    @Test
    void writesWhatItReads() {
        MigConfig config = MigConfig.parse("config.yaml", FILE);
        assertThat(config.toYaml()).isEqualTo(FILE);
        assertThat(MigConfig.parse("again", config.toYaml())).isEqualTo(config);
    }

    @Test
    void readsJson() {
        assertThat(MigConfig.parse(
                                "config.json",
                                "{\"version\": \"v1\", \"mig-configs\": {\"one\": [{\"devices\": [0], \"mig-enabled\": true}]}}")
                        .configs())
                .containsEntry("one", List.of(new MigEntry(List.of(), Optional.of(List.of(0)), true, Map.of())));
    }

    @Test
    void namesEveryErrorWithItsLine() {
        assertThatThrownBy(() -> MigConfig.parse("bad.yaml", """
                        version: v2
                        mig-configs:
                          one:
                          - device: all
                            mig-enabled: "yes"
                            mig-devices: {2q.10gb: 1, 1g.5gb: -1, 1g.10gb: two}
                          - devices: some
                            mig-enabled: false
                            mig-devices: {1g.5gb: 1}
                            device-filter: V100
                          - devices: [0, 0, -1]
                            mig-enabled: true
                        """))
                .isInstanceOfSatisfying(
                        InputException.class,
                        e -> assertThat(e.errors())
                                .containsExactly(
                                        "bad.yaml:1: version: \"v2\" is not a version that can be read; it must be v1",
                                        "bad.yaml:4: mig-configs.one[0].device: is not a field here; did you mean devices?",
                                        "bad.yaml:4: mig-configs.one[0]: devices is missing",
                                        "bad.yaml:5: mig-configs.one[0].mig-enabled: must be true or false, not the string"
                                                + " \"yes\"",
                                        "bad.yaml:6: mig-configs.one[0].mig-devices.2q.10gb: \"2q.10gb\" is not a profile, such"
                                                + " as 1g.10gb, 1g.10gb+me or 1c.3g.40gb",
                                        "bad.yaml:6: mig-configs.one[0].mig-devices.1g.5gb: -1 is negative",
                                        "bad.yaml:6: mig-configs.one[0].mig-devices.1g.10gb: must be a whole number, not the"
                                                + " string \"two\"",
                                        "bad.yaml:7: mig-configs.one[1].devices: must be all or a list of indexes, not"
                                                + " \"some\"",
                                        "bad.yaml:9: mig-configs.one[1].mig-devices: must be empty where mig-enabled is false",
                                        "bad.yaml:10: mig-configs.one[1].device-filter: \"V100\" is not a PCI id, such as"
                                                + " \"0x20B010DE\"",
                                        "bad.yaml:11: mig-configs.one[2].devices[1]: 0 is listed twice",
                                        "bad.yaml:11: mig-configs.one[2].devices[2]: -1 is negative"));
    }

    @Test
    void makesOneEntryForDevicesThatAreSlicedAlike() {
        List<MigInstance> thirds =
                List.of(new MigInstance("3g.20gb", 0, 4, List.of()), new MigInstance("3g.20gb", 4, 4, List.of(1, 2)));
        MigConfig config = MigConfig.of(
                "mine",
                List.of(
                        new MigLayout(0, true, thirds),
                        new MigLayout(1, false, List.of()),
                        new MigLayout(2, true, thirds)));
        assertThat(config.toYaml()).isEqualTo("""
                        version: v1
                        mig-configs:
                          mine:
                            - devices: [0, 2]
                              mig-enabled: true
                              mig-devices:
                                "3g.20gb": 1
                                "1c.3g.20gb": 1
                                "2c.3g.20gb": 1
                            - devices: [1]
                              mig-enabled: false
                        """);
        assertThat(MigConfig.of("all", List.of(new MigLayout(0, true, List.of())))
                        .with(config)
                        .configs())
                .containsOnlyKeys("all", "mine");
    }
}

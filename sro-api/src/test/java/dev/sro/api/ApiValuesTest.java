package dev.sro.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiValuesTest {

    private static final Outcome READY = Outcome.ready();
    private static final Outcome WAITING = Outcome.waiting("Wait", Instant.EPOCH, "x");
    private static final Outcome FAILED = Outcome.failed(Problem.user("Bad", "x"));

    @Test
    void failedIsWorseThanWaitingIsWorseThanReady() {
        assertThat(Outcome.worse(READY, WAITING)).isEqualTo(WAITING);
        assertThat(Outcome.worse(FAILED, WAITING)).isEqualTo(FAILED);
        assertThat(Outcome.worse(WAITING, FAILED)).isEqualTo(FAILED);
        assertThat(Outcome.worse(READY, READY).isReady()).isTrue();
    }

    @Test
    void ofTwoEquallyBadOutcomesTheFirstStays() {
        Outcome other = Outcome.waiting("Other", Instant.EPOCH, "y");
        assertThat(Outcome.worse(WAITING, other)).isSameAs(WAITING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "lower", "Two Words", "With-Dash", "1Digit"})
    void problemCodeIsOneCamelCaseWord(String code) {
        assertThatThrownBy(() -> Problem.user(code, "x")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void problemShorthandsSayWhoseTurnItIs() {
        assertThat(Problem.user("A", "x")).isEqualTo(new Problem("A", "x", Problem.Owner.USER, false));
        assertThat(Problem.vendor("A", "x")).isEqualTo(new Problem("A", "x", Problem.Owner.VENDOR, true));
        assertThat(Problem.platform("A", "x")).isEqualTo(new Problem("A", "x", Problem.Owner.PLATFORM, true));
    }

    @ParameterizedTest
    @CsvSource({"8.4,8", "22.04,22", "12,12", "'',''"})
    void majorIsWhatComesBeforeTheDot(String version, String major) {
        assertThat(new OsRelease("x", version).major()).isEqualTo(major);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0000-a", "1000-driver-container", "1234_x"})
    void stateIdIsFourDigitsAndAName(String id) {
        assertThat(State.of(id).number()).isEqualTo(id.substring(0, 4));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "100-a", "10000-a", "1000", "1000-", "1000-A", "1000-a-", "a000-a", "1000-a b"})
    void otherStateIdsAreRefused(String id) {
        assertThatThrownBy(() -> State.of(id))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1000-driver-container");
    }

    @Test
    void stateIdFitsALabel() {
        assertThat(State.of("1000-" + "a".repeat(58)).id()).hasSize(63);
        assertThatThrownBy(() -> State.of("1000-" + "a".repeat(59))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void pluginNameIsADnsLabel() {
        assertThat(PluginDescriptor.of("simple-kmod", "1", "v").name()).isEqualTo("simple-kmod");
        assertThatThrownBy(() -> PluginDescriptor.of("Simple", "1", "v"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PluginDescriptor.name");
    }

    @Test
    void poolCannotBeChangedFromOutside() {
        TreeMap<String, String> key = new TreeMap<>(Map.of("a", "1"));
        Pool pool = new Pool(
                "p", "h", new KernelVersion("6.1.0+"), new OsRelease("ubuntu", "22.04"), "amd64", key, List.of("n"));
        key.clear();
        assertThat(pool.key()).isEqualTo(Map.of("a", "1"));
        assertThat(pool.kernelLabel()).isEqualTo("6.1.0");
        assertThat(pool.withNodes(List.of()).nodes()).isEmpty();
        assertThatThrownBy(() -> pool.key().put("b", "2")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void clusterFactsKnowOpenShiftByItsApi() {
        assertThat(ClusterFacts.builder()
                        .addServedKinds("config.openshift.io/v1/ClusterVersion")
                        .build()
                        .isOpenShift())
                .isTrue();
        ClusterFacts vanilla =
                ClusterFacts.builder().addServedKinds("apps/v1/DaemonSet").build();
        assertThat(vanilla.isOpenShift()).isFalse();
        assertThat(vanilla.serves("apps/v1", "DaemonSet")).isTrue();
        assertThat(vanilla.serves("apps/v1", "Deployment")).isFalse();
    }
}

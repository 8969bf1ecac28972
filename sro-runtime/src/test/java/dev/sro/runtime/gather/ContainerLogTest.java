package dev.sro.runtime.gather;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ContainerLogTest {
    private static final String GONE = "unable to retrieve container logs for containerd://1facc58e";

    private int pauses;

    private String read(List<String> answers) {
        Deque<String> left = new ArrayDeque<>(answers);
        return Objects.requireNonNull(ContainerLog.read(left::remove, () -> pauses++));
    }

    @Test
    void whatIsThereIsAskedForOnce() {
        assertThat(read(List.of("card 3 does not answer\n"))).isEqualTo("card 3 does not answer\n");
        assertThat(pauses).isZero();
    }

    @Test
    void aContainerThatIsGoneIsFollowedByTheNextOne() {
        assertThat(read(List.of(GONE, GONE, "card 3 does not answer\n"))).isEqualTo("card 3 does not answer\n");
        assertThat(pauses).isEqualTo(2);
    }

    @Test
    void whatStaysGoneIsSaidAsKubeletSaysIt() {
        assertThat(read(Collections.nCopies(5, GONE))).isEqualTo(GONE);
        assertThat(pauses).isEqualTo(4);
    }
}

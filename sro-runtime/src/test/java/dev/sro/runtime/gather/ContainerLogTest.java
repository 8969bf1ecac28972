package dev.sro.runtime.gather;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ContainerLogTest {
    @Test
    void aLogIsLeftAsItIs() {
        assertThat(ContainerLog.explained("card 3 does not answer\n", "driver.log"))
                .isEqualTo("card 3 does not answer\n");
    }

    @Test
    void whereItIsGoneTheOtherFileIsNamed() {
        assertThat(ContainerLog.explained("unable to retrieve container logs for containerd://1facc58e", "driver.log"))
                .isEqualTo("""
                    unable to retrieve container logs for containerd://1facc58e
                    kubelet keeps the log of the last run that ended: see driver.log
                    """);
    }
}

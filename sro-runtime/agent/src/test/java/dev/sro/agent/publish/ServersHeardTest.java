package dev.sro.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.dra.DraServer;
import org.junit.jupiter.api.Test;

class ServersHeardTest {
    private static final DraServer OLD = DraServer.of("v1.35.1");
    private static final DraServer NEW = DraServer.of("v1.36.3");

    private final ServersHeard servers = new ServersHeard();

    @Test
    void anotherServerCountsWhenItAnswersTwiceInARow() {
        assertThat(servers.heard(OLD)).isTrue();
        assertThat(servers.heard(OLD)).isFalse();
        for (int i = 0; i < 3; i++) {
            assertThat(servers.heard(NEW)).as("in the middle of an upgrade").isFalse();
            assertThat(servers.heard(OLD)).isFalse();
        }
        assertThat(servers.heard(NEW)).isFalse();
        assertThat(servers.heard(NEW)).isTrue();
        assertThat(servers.heard(NEW)).isFalse();
        assertThat(servers.heard(OLD)).isFalse();
        assertThat(servers.heard(OLD)).as("back again").isTrue();
    }
}

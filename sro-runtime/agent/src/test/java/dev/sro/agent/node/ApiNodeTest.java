package dev.sro.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.agent.claims.ApiServer;
import dev.sro.agent.claims.StalledApiServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ApiNodeTest {
    @Test
    @Timeout(20)
    void aWatchOnAConnectionThatIsNoneAnyMoreIsGivenUp() throws IOException {
        String event = "{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"name\":\"n1\",\"uid\":\"u\"}}}\n";
        try (StalledApiServer stalled = new StalledApiServer(event)) {
            ApiNode node = new ApiNode(
                    ApiServer.at(stalled.address(), Optional.empty(), Optional.empty()), "n1", Duration.ofMillis(300));
            List<NodeFacts> seen = new ArrayList<>();
            assertThatThrownBy(() -> node.watch("1", seen::add)).isInstanceOf(IOException.class);
            assertThat(seen).as("what came before").hasSize(1);
        }
    }
}

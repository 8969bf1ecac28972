package dev.sro.agent.claims;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ApiServerTest {
    @Test
    @Timeout(20)
    void anAnswerThatDoesNotEndIsNotWaitedForForEver() throws IOException {
        try (StalledApiServer stalled = new StalledApiServer("{\"kind\":")) {
            ApiServer api = ApiServer.at(stalled.address(), Optional.empty(), Optional.empty())
                    .within(Duration.ofMillis(300));
            assertThatThrownBy(() -> api.get("/api/v1/nodes/n1"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("did not end within");
        }
    }
}

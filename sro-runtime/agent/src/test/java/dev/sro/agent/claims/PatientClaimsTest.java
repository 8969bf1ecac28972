package dev.sro.agent.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.ClaimSource.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PatientClaimsTest {
    private final AtomicLong nanos = new AtomicLong();
    private final List<String> asked = new ArrayList<>();

    private List<Standing> forty(Standing answer, long millis) {
        PatientClaims claims = new PatientClaims(
                claim -> {
                    asked.add(claim.name());
                    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
                    return answer;
                },
                nanos::get);
        List<Standing> standings = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            standings.add(claims.standing(new ClaimRef("uid" + i, "ns", "c" + i)));
        }
        return standings;
    }

    @Test
    void anApiServerThatLetsUsWaitIsNotAskedForEachClaim() {
        assertThat(forty(Standing.UNKNOWN, 10_000)).containsOnly(Standing.UNKNOWN);
        assertThat(asked).containsExactly("c0");
    }

    @Test
    void oneThatAnswersIsAskedForAll() {
        assertThat(forty(Standing.GONE, 1_000)).containsOnly(Standing.GONE);
        assertThat(asked).hasSize(40);
        asked.clear();
        assertThat(forty(Standing.UNKNOWN, 1)).containsOnly(Standing.UNKNOWN);
        assertThat(asked).as("what only takes a moment").hasSize(40);
    }
}

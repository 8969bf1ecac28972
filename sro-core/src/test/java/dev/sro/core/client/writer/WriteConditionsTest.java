package dev.sro.core.client.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.apply.WriteException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WriteConditionsTest {

    @Test
    void whoDoesNotHoldTheLeaseWritesNothing() throws WriteException {
        AtomicBoolean held = new AtomicBoolean(true);
        WriteConditions terms = new WriteConditions("mine", held::get);
        terms.check();

        held.set(false);

        assertThatThrownBy(terms::check)
                .isInstanceOfSatisfying(
                        WriteException.class,
                        refused -> assertThat(refused.kind())
                                .as("the trip ends, as with an API server that does not answer")
                                .isEqualTo(WriteException.Kind.UNAVAILABLE))
                .hasMessageContaining("lease");
    }

    @Test
    void theManagerOfDependenciesIsThatOfSroWhereNothingElseIsSaid() {
        assertThat(WriteConditions.DEFAULT.fieldManager()).isEqualTo("sro");
        assertThat(WriteConditions.DEFAULT.resourceManager()).isEqualTo("sro-dependencies");
        assertThat(new WriteConditions("mine", () -> true).resourceManager()).isEqualTo("mine-dependencies");
    }
}

package dev.sro.core.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class DriverChecksTest {

    @ParameterizedTest(name = "{0}: {1}")
    @CsvFileSource(resources = "validation.csv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '~')
    void sayWhatKernelModuleManagementsWebhookSays(String id, String driver, @Nullable String message) {
        List<Problem> problems = DriverChecks.check(Fixtures.driver(driver));
        if (message == null) {
            assertThat(problems).as(id).isEmpty();
        } else {
            assertThat(problems)
                    .as(id)
                    .isNotEmpty()
                    .anyMatch(problem -> problem.message().contains(message))
                    .allMatch(problem -> problem.code().equals("InvalidDriver")
                            && problem.message().startsWith("spec.driver.")
                            && problem.owner() == Problem.Owner.USER);
        }
    }
}

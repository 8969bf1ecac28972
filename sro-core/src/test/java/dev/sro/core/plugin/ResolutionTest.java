package dev.sro.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ResolutionTest {

    private static Candidate candidate(String id, String version, Candidate.Dependency... dependencies) {
        return candidate(id + "-" + version + ".jar", id, version, List.of(dependencies));
    }

    private static Candidate candidate(
            String file, String id, String version, List<Candidate.Dependency> dependencies) {
        PluginCopy staged = new PluginCopy(file, "0".repeat(64), Path.of("plugin.jar"));
        return new Candidate(staged, id, version, "*", Optional.empty(), dependencies);
    }

    private static Candidate.Dependency on(String id) {
        return new Candidate.Dependency(id, "*", false);
    }

    private static List<String> order(Resolution resolution) {
        return resolution.steps().stream().map(step -> step.candidate().id()).toList();
    }

    @Test
    void ordersDependenciesFirstThenById() {
        Resolution resolution = Resolution.of(
                List.of(candidate("c", "1.0.0"), candidate("a", "1.0.0", on("z")), candidate("z", "1.0.0")), "1.0.0");

        assertThat(order(resolution)).containsExactly("c", "z", "a");
        assertThat(resolution.rejections()).isEmpty();
    }

    @Test
    void leavesOutAnOptionalDependencyThatDoesNotFit() {
        Resolution resolution = Resolution.of(
                List.of(
                        candidate("a", "1.0.0", new Candidate.Dependency("b", ">=2.0.0", true)),
                        candidate("b", "1.0.0")),
                "1.0.0");

        assertThat(order(resolution)).containsExactly("a", "b");
        assertThat(resolution.steps().get(0).dependencies()).isEmpty();
    }

    @Test
    void countsASnapshotOfADependencyAsItsRelease() {
        Resolution resolution = Resolution.of(
                List.of(
                        candidate("a", "1.0.0", new Candidate.Dependency("b", ">=2.0.0", false)),
                        candidate("b", "2.0.0-SNAPSHOT")),
                "1.0.0");

        assertThat(order(resolution)).containsExactly("b", "a");
    }

    @Test
    void rejectsAPluginThatDependsOnItself() {
        Resolution resolution = Resolution.of(List.of(candidate("a", "1.0.0", on("a"))), "1.0.0");

        assertThat(resolution.steps()).isEmpty();
        assertThat(resolution.rejections())
                .extracting(PluginRejection::code)
                .containsExactly(PluginRejectionCodes.DEPENDENCY_CYCLE);
    }

    @Provide
    Arbitrary<List<Candidate>> candidates() {
        Arbitrary<String> ids = Arbitraries.of("a", "b", "c", "d", "e");
        Arbitrary<Candidate.Dependency> dependencies = Combinators.combine(
                        ids, Arbitraries.of("*", ">=2.0.0", "<2.0.0"), Arbitraries.of(true, false))
                .as(Candidate.Dependency::new);
        return Combinators.combine(
                        ids,
                        Arbitraries.of("1.0.0", "2.0.0-SNAPSHOT", "2.0.0"),
                        dependencies.list().ofMaxSize(2))
                .as((id, version, needs) -> candidate(id, version, needs.toArray(new Candidate.Dependency[0])))
                .list()
                .uniqueElements(Candidate::file)
                .ofMaxSize(8);
    }

    @Property(tries = 2000)
    void decidesOnEveryFileOnceAndNeverLoadsWhatIsNotSatisfied(@ForAll("candidates") List<Candidate> candidates) {
        Resolution resolution = Resolution.of(candidates, "1.0.0");

        List<String> decided = new ArrayList<>();
        resolution.steps().forEach(step -> decided.add(step.candidate().file()));
        resolution.rejections().forEach(rejection -> decided.add(rejection.file()));
        assertThat(decided)
                .containsExactlyInAnyOrderElementsOf(
                        candidates.stream().map(Candidate::file).toList());

        Set<Candidate> loaded = new HashSet<>();
        for (Resolution.Step step : resolution.steps()) {
            for (Candidate.Dependency dependency : step.candidate().dependencies()) {
                boolean linked =
                        loaded.stream().anyMatch(other -> other.id().equals(dependency.id()) && dependency.fits(other));
                assertThat(linked || dependency.optional()).isTrue();
            }
            loaded.add(step.candidate());
        }
    }

    @Property(tries = 500)
    void doesNotDependOnTheOrderOfTheFiles(@ForAll("candidates") List<Candidate> candidates) {
        List<Candidate> reversed = new ArrayList<>(candidates);
        java.util.Collections.reverse(reversed);

        Resolution one = Resolution.of(candidates, "1.0.0");
        Resolution other = Resolution.of(reversed, "1.0.0");

        assertThat(other.steps()).isEqualTo(one.steps());
        assertThat(new HashSet<>(other.rejections())).isEqualTo(new HashSet<>(one.rejections()));
    }
}

package dev.sro.testkit.operator;

import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.client.OperatorAdjustment;
import dev.sro.core.engine.port.ImageLooks;
import dev.sro.core.image.Images;
import dev.sro.core.model.RecipeAccounts;
import dev.sro.core.module.VersionResolver;
import dev.sro.core.recipe.PluginGuard;
import dev.sro.core.recipe.chart.ManifestRenderer;
import dev.sro.core.recipe.source.ChartFetcher;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** What a test sets for operators that are started from now on. Confined to the thread of the test. */
abstract class OperatorSettings {

    /** By their subject: of two for one, the later one holds. */
    private final Map<String, OperatorAdjustment> settings = new LinkedHashMap<>();

    private Optional<String> token = Optional.empty();

    abstract SroSandbox self();

    abstract KubernetesClient administrator();

    /** Makes the cluster serve one of SRO's own kinds, by its plural. */
    abstract void install(String definition);

    /** For an operator that is started now. */
    final Collection<OperatorAdjustment> adjustments() {
        return settings.values();
    }

    /** Of the account whose rights an operator that is started now has; empty for the administrator's. */
    final Optional<String> token() {
        return token;
    }

    /** Wraps the writer of operators that are started from now on. */
    public final SroSandbox writer(UnaryOperator<ClusterWriter> decorator) {
        settings.put("writer", (operator, workers) -> operator.writer(decorator));
        return self();
    }

    /**
     * After what silence of a watch operators that are started from now on list its objects anew; never unless set, as nothing here is
     * silent by itself.
     */
    public final SroSandbox relistAfter(Duration silence) {
        settings.put("relistAfter", (operator, workers) -> operator.relistAfter(silence));
        return self();
    }

    /**
     * Operators that are started from now on take charts as recipes, too.
     *
     * @param fetchers by scheme of the address of a repository
     * @param rendering turns charts into manifests
     */
    public final SroSandbox charts(Map<String, ChartFetcher> fetchers, ManifestRenderer rendering) {
        Map<String, ChartFetcher> copy = Map.copyOf(fetchers);
        settings.put("charts", (operator, workers) -> operator.charts(copy, workers, rendering));
        return self();
    }

    /**
     * Makes the cluster serve PreflightValidation; operators that are started from now on check them, with a reader of registries
     * that blocks the thread of the test, and a {@code registries.conf} that need not be there.
     */
    public final SroSandbox preflights(Images reader, Path mirrors) {
        install("preflightvalidations");
        settings.put("preflights", (operator, workers) -> operator.preflights(reader, workers, mirrors));
        settings.put("images", (operator, workers) -> operator.driverImages(reader, workers, mirrors));
        return self();
    }

    /**
     * The look for images of drivers of operators that are started from now on, not in {@link SroSandbox#registry()}; it blocks the test's thread.
     */
    public final SroSandbox driverImages(ImageLooks looks) {
        settings.put("images", (operator, workers) -> operator.driverImages(looks, workers));
        return self();
    }

    /** The guard of calls of plugins by operators that are started from now on; a deadline of it is in the time of this machine. */
    public final SroSandbox guard(PluginGuard guard) {
        settings.put("guard", (operator, workers) -> operator.guard(guard));
        return self();
    }

    /** The settings by which operators that are started from now on build images of drivers. */
    public final SroSandbox builds(BuildSettings builds) {
        settings.put("builds", (operator, workers) -> operator.builds(builds));
        return self();
    }

    /**
     * By whose rights operators that are started from now on apply charts and numbered manifests, as {@code --recipe-account}; by their own
     * unless set.
     */
    public final SroSandbox recipeAccount(String name) {
        settings.put("accounts", (operator, workers) -> operator.accounts(new RecipeAccounts(name)));
        return self();
    }

    /**
     * Operators that are started from now on have the rights of this ServiceAccount, which the test makes and grants what it will; those of
     * the administrator unless set.
     */
    public final SroSandbox operatorAccount(String namespace, String name) {
        token = Optional.of(OperatorTokens.of(administrator(), namespace, name));
        return self();
    }

    /** Whose shell places files for container runtimes, with operators that are started from now on. */
    public final SroSandbox runtimeImage(String image) {
        settings.put("runtimeImage", (operator, workers) -> operator.runtimeImage(image));
        return self();
    }

    /**
     * Makes the cluster serve SpecialResourceModule; operators that are started from now on, with {@link #charts}, look after
     * them.
     *
     * @param resolver finds out what versions of OpenShift are; it may block the thread of the test
     */
    public final SroSandbox modules(VersionResolver resolver) {
        install("specialresourcemodules");
        settings.put("modules", (operator, workers) -> operator.modules(resolver, workers));
        return self();
    }

    /**
     * The clock of operators that are started from now on, instead of the cluster's: for clocks that go wrong. Their timers
     * are the cluster's.
     *
     * @param time asked once for each operator that is started
     */
    public final SroSandbox clock(Supplier<? extends Clock> time) {
        settings.put("clock", (operator, workers) -> operator.clock(time.get()));
        return self();
    }
}

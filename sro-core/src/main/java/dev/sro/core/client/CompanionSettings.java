package dev.sro.core.client;

import dev.sro.core.engine.port.Metrics;
import dev.sro.core.engine.port.Timers;
import dev.sro.core.image.Images;
import dev.sro.core.model.RecipeAccounts;
import dev.sro.core.module.VersionResolver;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What the controllers beside the engine are given. What is null is not there, and what needs it does not run. Immutable.
 *
 * @param scope what is looked after
 * @param images reads registries for preflights
 * @param toolkitImages reads them for driver toolkits; {@code images} unless set
 * @param imageReader runs these reads, which block
 * @param resolver finds out what versions of OpenShift are, for modules
 * @param moduleWorker runs reconciles of modules, which block
 * @param registriesConf the file with mirrors; it need not be there
 * @param accounts by whose rights charts of modules are applied
 */
record CompanionSettings(
        OperatorScope scope,
        Clock clock,
        Timers timers,
        Metrics metrics,
        @Nullable Images images,
        @Nullable Images toolkitImages,
        @Nullable Executor imageReader,
        @Nullable VersionResolver resolver,
        @Nullable Executor moduleWorker,
        Path registriesConf,
        RecipeAccounts accounts) {}

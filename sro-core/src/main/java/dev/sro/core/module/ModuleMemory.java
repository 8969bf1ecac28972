package dev.sro.core.module;

import dev.sro.api.resource.ModuleVersionStatus;
import dev.sro.api.resource.SpecialResourceModuleStatus;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.apply.Failures;
import dev.sro.core.engine.session.PlanRounds;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.plan.memo.SyncMemo;
import dev.sro.core.recipe.ModuleRecipe;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is kept of a module between reconciles; all of it can be made again. Confined to the worker of that module. */
final class ModuleMemory {

    /** A version that could not be found out. */
    record Failed(String message, Instant retry) {}

    /** What was rendered, and for what. */
    record Rendered(Object key, ModuleRecipe recipe, List<DesiredState> states) {}

    private final String uid;
    private final Failures failures = new Failures();
    private final SyncMemo memo = new SyncMemo();
    private final PlanRounds rounds = new PlanRounds();
    private final Map<String, ModuleVersion> known = new HashMap<>();
    private final Map<String, Failed> failed = new HashMap<>();
    private SpecialResourceStatus planned;
    private SpecialResourceModuleStatus status;
    private @Nullable List<String> finalizers;
    private @Nullable Rendered rendered;
    private Instant lastStatusWrite = Instant.MIN;

    ModuleMemory(String uid, @Nullable SpecialResourceModuleStatus stored) {
        this.uid = uid;
        this.planned = Modules.before(stored);
        this.status = stored == null ? new SpecialResourceModuleStatus() : stored;
        status.getVersions().forEach((toolkit, version) -> {
            if (ModuleVersion.isWhole(version)) {
                known.put(version.getValue(), ModuleVersion.of(toolkit.replaceFirst(" \\(.*", ""), version));
            }
        });
    }

    String uid() {
        return uid;
    }

    Failures failures() {
        return failures;
    }

    SyncMemo memo() {
        return memo;
    }

    /** What plans asked. */
    PlanRounds rounds() {
        return rounds;
    }

    /** By what the watched objects say. */
    Map<String, ModuleVersion> known() {
        return known;
    }

    /** By what the watched objects say. */
    Map<String, Failed> failed() {
        return failed;
    }

    SpecialResourceStatus planned() {
        return planned;
    }

    void planned(SpecialResourceStatus next) {
        planned = next;
    }

    SpecialResourceModuleStatus status() {
        return status;
    }

    Map<String, ModuleVersionStatus> versions() {
        return status.getVersions();
    }

    /** What is stored: somebody else may have written it, and is to be put right. */
    void stored(@Nullable SpecialResourceModuleStatus now) {
        status = now == null ? new SpecialResourceModuleStatus() : now;
    }

    void written(SpecialResourceModuleStatus next, Instant at) {
        status = next;
        lastStatusWrite = at;
    }

    Instant lastStatusWrite() {
        return lastStatusWrite;
    }

    @Nullable List<String> finalizers() {
        return finalizers;
    }

    void finalizers(List<String> now) {
        finalizers = List.copyOf(now);
    }

    @Nullable Rendered rendered() {
        return rendered;
    }

    void rendered(Rendered next) {
        rendered = next;
    }
}

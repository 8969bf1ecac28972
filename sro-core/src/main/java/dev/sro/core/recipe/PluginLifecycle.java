package dev.sro.core.recipe;

import dev.sro.api.LifecycleHook;
import dev.sro.api.Outcome;
import dev.sro.api.RecipeContext;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plugin.LoadedPlugin;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a plugin says of objects after they were applied and before they are deleted. It needs no recipe, so that it can be asked about
 * what a deleted special resource leaves. Answers are kept until the object changes, or for a while if they were not Ready.
 * Thread-safe.
 */
public final class PluginLifecycle {

    /** Nobody is asked. */
    public static final PluginLifecycle NONE = new PluginLifecycle(null, null, PluginGuard.direct(), null);

    /** After this time the plugin is asked again about what it did not let pass. */
    private static final Duration AGAIN = Duration.ofSeconds(30);

    private record Said(KubeObject live, Outcome outcome, Instant again) {}

    private interface Question {
        Outcome ask(LifecycleHook hook, GenericKubernetesResource live, LifecycleHook.Place context);
    }

    private final @Nullable LoadedPlugin plugin;
    private final @Nullable LifecycleHook hook;
    private final PluginGuard guard;
    private final @Nullable RecipeContext context;
    private final Map<ObjectRef, Said> applied = new ConcurrentHashMap<>();
    private final Map<ObjectRef, Said> leaving = new ConcurrentHashMap<>();

    private PluginLifecycle(
            @Nullable LoadedPlugin plugin,
            @Nullable LifecycleHook hook,
            PluginGuard guard,
            @Nullable RecipeContext context) {
        this.plugin = plugin;
        this.hook = hook;
        this.guard = guard;
        this.context = context;
    }

    /** Of this plugin, if it has any say. */
    static PluginLifecycle of(LoadedPlugin plugin, PluginGuard guard, RecipeContext context) {
        return plugin.plugin() instanceof LifecycleHook hook ? new PluginLifecycle(plugin, hook, guard, context) : NONE;
    }

    /** How far an object is that was applied. */
    public Outcome afterApply(KubeObject live, Function<KubeObject, GenericKubernetesResource> typed, Instant now) {
        return said(applied, "afterApply", live, typed, now, (asked, object, at) -> asked.afterApply(object, at, now));
    }

    /** Whether an object may be deleted. */
    public Outcome beforeDelete(KubeObject live, Function<KubeObject, GenericKubernetesResource> typed, Instant now) {
        return said(
                leaving, "beforeDelete", live, typed, now, (asked, object, at) -> asked.beforeDelete(object, at, now));
    }

    private Outcome said(
            Map<ObjectRef, Said> known,
            String method,
            KubeObject live,
            Function<KubeObject, GenericKubernetesResource> typed,
            Instant now,
            Question question) {
        if (hook == null
                || plugin == null
                || context == null
                || live.ref().kind().equals("Namespace")) {
            return Outcome.ready();
        }
        Said before = known.get(live.ref());
        if (before != null && now.isBefore(before.again) && before.live.equals(live)) {
            return before.outcome;
        }
        LifecycleHook.Place at = new LifecycleHook.Place(
                context,
                live.annotation(MetadataKeys.STATE).orElse(""),
                live.annotation(MetadataKeys.POOL).orElse(""));
        Outcome outcome;
        try {
            outcome = guard.call(
                    plugin.name(), plugin.classLoader(), method, () -> question.ask(hook, typed.apply(live), at));
        } catch (RecipeFailure e) {
            outcome = Outcome.failed(e.problem());
        }
        known.put(live.ref(), new Said(live, outcome, outcome.isReady() ? Instant.MAX : now.plus(AGAIN)));
        return outcome;
    }

    /** When the plugin is to be asked again; {@link Instant#MAX} when it need not be. Forgets all other objects. */
    public Instant retry(Set<ObjectRef> live, Instant now) {
        applied.keySet().retainAll(live);
        leaving.keySet().retainAll(live);
        return Stream.concat(applied.values().stream(), leaving.values().stream())
                .map(Said::again)
                .filter(now::isBefore)
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }
}

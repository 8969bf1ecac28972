package dev.sro.core.manifest;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A hook of a Helm chart. All but the path is in the object's annotations, so that it can be made anew from what was stored.
 * Immutable.
 *
 * @param object complete, with SRO's labels and annotations
 * @param path of its template
 * @param events when it runs
 * @param weight lower ones run first
 * @param policies when its object is deleted: {@code before-hook-creation}, {@code hook-succeeded}, {@code hook-failed}
 */
public record DesiredHook(KubeObject object, String path, Set<HookEvent> events, int weight, List<String> policies) {

    /** Deleted before it runs again. */
    public static final String BEFORE_CREATION = "before-hook-creation";

    /** Deleted when all hooks of its step and event succeeded. */
    public static final String SUCCEEDED = "hook-succeeded";

    /** Deleted when it failed. */
    public static final String FAILED = "hook-failed";

    /** The annotation that makes an object a hook. */
    public static final String ANNOTATION = "helm.sh/hook";

    /** As Helm runs them: by weight, then in the order in which kinds are installed, then by name. */
    public static final Comparator<DesiredHook> ORDER =
            Comparator.comparingInt(DesiredHook::weight).thenComparing(DesiredHook::object, InstallOrder.COMPARATOR);

    private static final Set<String> KNOWN = Set.of(BEFORE_CREATION, SUCCEEDED, FAILED);

    /** Copies the collections. */
    public DesiredHook {
        events = Set.copyOf(events);
        policies = List.copyOf(policies);
    }

    /** What the annotations say. */
    public static DesiredHook of(KubeObject object, String path) {
        List<String> policies = new ArrayList<>();
        String given = object.annotation("helm.sh/hook-delete-policy").orElse("");
        for (String word : given.split(",", -1)) {
            String policy = word.trim().toLowerCase(Locale.ROOT);
            if (KNOWN.contains(policy)) {
                policies.add(policy);
            }
        }
        return new DesiredHook(
                object,
                path,
                HookEvent.all(object.annotation(ANNOTATION).orElse("")),
                weightOf(object.annotation("helm.sh/hook-weight").orElse("")),
                policies.isEmpty() ? List.of(BEFORE_CREATION) : policies);
    }

    /** As in Helm, what is no number counts as none. */
    private static int weightOf(String text) {
        try {
            return Integer.parseInt(text.trim());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** The same by the rights of somebody: what was recorded does not say, as others may write records. */
    public DesiredHook by(Optional<RecipeAccount> account) {
        if (RecipeAccount.of(object).equals(account)) {
            return this;
        }
        KubeObject other = object.edit(tree -> {
            Map<String, Object> annotations = ValueTrees.ensureMap(tree, "metadata", "annotations");
            annotations.remove(MetadataKeys.ACCOUNT);
            account.ifPresent(known -> annotations.put(MetadataKeys.ACCOUNT, known.mark()));
        });
        return new DesiredHook(other, path, events, weight, policies);
    }

    /** Id of the state that it belongs to. */
    public String state() {
        return object.annotation(MetadataKeys.STATE).orElse("");
    }

    /** Name of the pool that it is for; empty when it serves all. */
    public String pool() {
        return object.annotation(MetadataKeys.POOL).orElse("");
    }

    /** Digest of the object as the chart has it. */
    public String digest() {
        return object.annotation(MetadataKeys.HOOK).orElse("");
    }

    /** Whether it runs at this event. */
    public boolean runsAt(HookEvent event) {
        return events.contains(event);
    }

    /** Whether it ever runs by itself. */
    public boolean isAutomatic() {
        return events.stream().anyMatch(event -> event != HookEvent.TEST && !event.isRollback());
    }
}

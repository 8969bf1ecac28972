package dev.sro.core.preflight;

import dev.sro.api.resource.CredentialsSecret;
import dev.sro.api.resource.PreflightTargetStatus;
import dev.sro.api.resource.PreflightValidation;
import dev.sro.api.resource.PreflightValidationSpec;
import dev.sro.api.resource.PreflightValidationStatus;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourcePreflight;
import dev.sro.api.resource.VerificationStatus;
import dev.sro.core.engine.Forecasts;
import dev.sro.core.image.Images;
import dev.sro.core.image.RegistrySettings;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Brings preflights up to date: checks what was not checked yet, what changed, and after some time what was not ready. A preflight
 * with nothing to do makes no request. Blocks while registries are read; thread-safe for different preflights.
 */
public final class PreflightReconciler {

    /** What is not ready is looked at again after this time: an image may have been pushed. */
    private static final Duration AGAIN = Duration.ofMinutes(10);

    /** While a chart is fetched or caches fill; an event usually comes before. */
    private static final Duration SOON = Duration.ofSeconds(15);

    /** Port: the preflights. Implementations are thread-safe. */
    public interface Store {
        /** The preflight of this name, from memory, and never older than what was written here. */
        Optional<PreflightValidation> find(String name);

        /**
         * Writes a status, with one request.
         *
         * @throws IOException if it is refused, or there is no answer
         */
        void writeStatus(PreflightValidation preflight, PreflightValidationStatus status) throws IOException;

        /** Is told after each look at a preflight what it says of each special resource; nothing once it is gone. */
        default void judged(String name, Map<String, VerificationStatus> verdicts) {}
    }

    /** Port: how registries are reached. Implementations are thread-safe. */
    public interface Settings {
        /**
         * As it is now.
         *
         * @param pullSecret null for the cluster's own, where there is one
         * @throws IOException if something that is named is not there; the message says what to do
         */
        RegistrySettings read(@Nullable CredentialsSecret pullSecret) throws IOException;
    }

    /**
     * What is known of a preflight beyond its status.
     *
     * @param checked when each special resource was
     * @param recipes what the recipe of each was then
     * @param pending could not be judged yet, whatever its last verdict says
     */
    private record Session(
            String uid,
            PreflightValidationStatus status,
            Map<String, Instant> checked,
            Map<String, Optional<Object>> recipes,
            Set<String> pending) {}

    /**
     * What comes of a check.
     *
     * @param recipes what the recipe of each special resource that was checked was before
     * @param pending what of it cannot be said yet
     */
    private record Checked(
            PreflightValidationStatus status, Map<String, Optional<Object>> recipes, Set<String> pending) {}

    private final Store store;
    private final Settings settings;
    private final Forecasts forecasts;
    private final Images images;
    private final Clock clock;
    private final Map<String, Session> memories = new ConcurrentHashMap<>();

    /**
     * @param forecasts renders special resources for other kernels
     * @param images reads registries
     */
    public PreflightReconciler(Store store, Settings settings, Forecasts forecasts, Images images, Clock clock) {
        this.store = store;
        this.settings = settings;
        this.forecasts = forecasts;
        this.images = images;
        this.clock = clock;
    }

    /** The verdicts on all that the preflight names, without a word to the cluster. Call it once {@link Forecasts#filling} is empty. */
    public PreflightValidationStatus check(PreflightValidation preflight, RegistrySettings reached) {
        Map<String, SpecialResource> subjects = subjects(spec(preflight));
        PreflightValidationStatus begun = PreflightStatus.begun(
                preflight, new PreflightValidationStatus(), subjects, subjects.keySet(), clock.instant());
        return check(preflight, begun, subjects, subjects.keySet(), () -> reached, new HashSet<>());
    }

    /**
     * Checks what there is to check.
     *
     * @return when to look again although nothing changes
     */
    public Optional<Instant> reconcile(String name) {
        Optional<PreflightValidation> found = store.find(name);
        if (found.isEmpty() || found.get().getMetadata().getDeletionTimestamp() != null) {
            memories.remove(name);
            store.judged(name, Map.of());
            return Optional.empty();
        }
        PreflightValidation preflight = found.get();
        Instant now = clock.instant();
        if (forecasts.filling().isPresent()) {
            return Optional.of(now.plus(SOON));
        }
        PreflightValidationSpec spec = spec(preflight);
        Session memory = memory(name, preflight);
        Map<String, SpecialResource> subjects = subjects(spec);
        Set<String> due = due(preflight, memory, subjects, now);
        PreflightValidationStatus next = PreflightStatus.begun(preflight, memory.status(), subjects, due, now);
        try {
            memory = write(name, preflight, memory, subjects.keySet(), new Checked(next, Map.of(), memory.pending()));
            if (!due.isEmpty()) {
                // As they are before the check: what changes during it is checked once more.
                Map<String, Optional<Object>> recipes = new HashMap<>();
                subjects.forEach((one, resource) -> {
                    if (due.contains(one)) {
                        recipes.put(one, forecasts.recipe(resource));
                    }
                });
                Set<String> pending = new HashSet<>();
                PreflightValidationStatus checked = check(
                        preflight, memory.status(), subjects, due, () -> settings.read(spec.getPullSecret()), pending);
                memory = write(name, preflight, memory, subjects.keySet(), new Checked(checked, recipes, pending));
            }
        } catch (IOException e) {
            return Optional.of(now.plus(SOON));
        }
        return wakeUp(memory);
    }

    /** A preflight without spec has nothing to say what for. */
    private static PreflightValidationSpec spec(PreflightValidation preflight) {
        return Objects.requireNonNullElseGet(preflight.getSpec(), PreflightValidationSpec::new);
    }

    private Session memory(String name, PreflightValidation preflight) {
        String uid = String.valueOf(preflight.getMetadata().getUid());
        Session known = memories.get(name);
        // As it is stored: somebody else may have written it, and is to be put right.
        PreflightValidationStatus stored =
                Objects.requireNonNullElseGet(preflight.getStatus(), PreflightValidationStatus::new);
        return known != null && known.uid().equals(uid)
                ? new Session(uid, stored, known.checked(), known.recipes(), known.pending())
                : new Session(uid, stored, Map.of(), Map.of(), Set.of());
    }

    /** What is to be checked, by name. */
    private Map<String, SpecialResource> subjects(PreflightValidationSpec spec) {
        Map<String, SpecialResource> all = new LinkedHashMap<>();
        forecasts
                .specialResources()
                .forEach(resource -> all.put(resource.getMetadata().getName(), resource));
        if (!spec.getSpecialResources().isEmpty()) {
            all.keySet().retainAll(new HashSet<>(spec.getSpecialResources()));
        }
        return all;
    }

    private Set<String> due(
            PreflightValidation preflight, Session memory, Map<String, SpecialResource> subjects, Instant now) {
        boolean anew = !Objects.equals(
                memory.status().getObservedGeneration(), preflight.getMetadata().getGeneration());
        Map<String, SpecialResourcePreflight> verdicts = PreflightStatus.byName(memory.status());
        Set<String> due = new HashSet<>();
        subjects.forEach((name, resource) -> {
            SpecialResourcePreflight verdict = verdicts.get(name);
            if (anew
                    || verdict == null
                    || !Objects.equals(
                            verdict.getObservedGeneration(),
                            resource.getMetadata().getGeneration())
                    || verdict.getVerificationStatus() == VerificationStatus.UNKNOWN
                    || memory.pending().contains(name)
                    || hasAnotherRecipe(memory, resource)
                    || (!isFinal(verdict) && !now.isBefore(again(memory, name)))) {
                due.add(name);
            }
        });
        return due;
    }

    /**
     * A chart, a plugin or a ConfigMap may have changed since the special resource was checked: also while no operator ran, so what this
     * one did not check itself is checked once more.
     */
    private boolean hasAnotherRecipe(Session memory, SpecialResource resource) {
        Optional<Object> then = memory.recipes().get(resource.getMetadata().getName());
        return then == null || !then.equals(forecasts.recipe(resource));
    }

    /** An image that is still to be built may be there soon, or its Dockerfile gone. */
    private static boolean isFinal(SpecialResourcePreflight verdict) {
        return verdict.getVerificationStatus() == VerificationStatus.TRUE
                && !verdict.getReason().equals(Verdict.BUILDABLE);
    }

    private static Instant again(Session memory, String name) {
        Instant checked = memory.checked().get(name);
        return checked == null ? Instant.MIN : checked.plus(AGAIN);
    }

    /** Reads how registries are reached, when it is needed. */
    private interface SettingsNow {
        RegistrySettings read() throws IOException;
    }

    /**
     * @param pending gets what cannot be said yet
     */
    private PreflightValidationStatus check(
            PreflightValidation preflight,
            PreflightValidationStatus before,
            Map<String, SpecialResource> subjects,
            Set<String> due,
            SettingsNow read,
            Set<String> pending) {
        Map<String, Verdict> verdicts = new HashMap<>();
        List<PreflightTargetStatus> targets = new ArrayList<>();
        try {
            Preflight run = new Preflight(forecasts, spec(preflight), images, read.read(), clock);
            subjects.forEach((name, resource) -> {
                if (due.contains(name)) {
                    verdicts.put(name, run.check(resource));
                }
            });
            targets.addAll(run.targets());
        } catch (IOException e) {
            due.forEach(name -> verdicts.put(name, Verdict.error(String.valueOf(e.getMessage()))));
        }
        verdicts.forEach((name, verdict) -> {
            if (verdict.status() == VerificationStatus.UNKNOWN) {
                pending.add(name);
            }
        });
        return PreflightStatus.ended(preflight, before, verdicts, subjects, targets, clock.instant());
    }

    private Session write(String name, PreflightValidation preflight, Session memory, Set<String> subjects, Checked now)
            throws IOException {
        PreflightValidationStatus next = now.status();
        if (!next.equals(memory.status())) {
            store.writeStatus(preflight, next);
        }
        Map<String, Instant> checked = new HashMap<>(memory.checked());
        Map<String, Optional<Object>> recipes = new HashMap<>(memory.recipes());
        now.recipes().forEach((one, recipe) -> {
            checked.put(one, clock.instant());
            recipes.put(one, recipe);
        });
        // One that is named and went has a verdict, and nothing of it is looked at again.
        checked.keySet().retainAll(subjects);
        recipes.keySet().retainAll(subjects);
        Set<String> pending = new HashSet<>(now.pending());
        pending.retainAll(subjects);
        Session result = new Session(memory.uid(), next, Map.copyOf(checked), Map.copyOf(recipes), Set.copyOf(pending));
        memories.put(name, result);
        store.judged(name, verdicts(next));
        return result;
    }

    private static Map<String, VerificationStatus> verdicts(PreflightValidationStatus status) {
        Map<String, VerificationStatus> verdicts = new HashMap<>();
        PreflightStatus.byName(status).forEach((name, entry) -> {
            VerificationStatus verdict = entry.getVerificationStatus();
            verdicts.put(name, verdict == null ? VerificationStatus.UNKNOWN : verdict);
        });
        return verdicts;
    }

    private Optional<Instant> wakeUp(Session memory) {
        Instant now = clock.instant();
        return memory.status().getSrStatuses().stream()
                .flatMap(verdict -> wakeUp(memory, verdict, now).stream())
                .min(Instant::compareTo);
    }

    private static Optional<Instant> wakeUp(Session memory, SpecialResourcePreflight verdict, Instant now) {
        if (memory.pending().contains(verdict.getName())
                || verdict.getVerificationStatus() == VerificationStatus.UNKNOWN) {
            return Optional.of(now.plus(SOON));
        }
        // One that is named and not there is waited for by nobody: an event tells when it comes.
        return isFinal(verdict) || !memory.checked().containsKey(verdict.getName())
                ? Optional.empty()
                : Optional.of(again(memory, verdict.getName()));
    }
}

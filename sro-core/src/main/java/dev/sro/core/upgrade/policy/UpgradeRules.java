package dev.sro.core.upgrade.policy;

import dev.sro.api.operation.DeviceResets;
import dev.sro.api.operation.UpgradeStrategy;
import dev.sro.api.resource.DriverUpgradePolicy;
import dev.sro.api.resource.UpgradeDeadlines;
import dev.sro.api.resource.UpgradeDrain;
import dev.sro.api.resource.UpgradeEviction;
import dev.sro.api.resource.UpgradeMaintenance;
import dev.sro.api.resource.UpgradePodDeletion;
import dev.sro.api.resource.UpgradeReboot;
import dev.sro.api.resource.UpgradeWait;
import dev.sro.api.resource.UpgradeWave;
import dev.sro.api.resource.UpgradeWindow;
import dev.sro.core.model.LabelSelector;
import io.fabric8.kubernetes.api.model.IntOrString;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The policy of a special resource: what its user says, under that what its plugin says, under that the defaults of operators of this
 * kind. Immutable.
 */
public final class UpgradeRules {

    private static final String FIELD = "spec.upgradePolicy.";
    private static final Duration DEFAULT_REMOVAL = Duration.ofMinutes(5);
    private static final Duration BACKOFF = Duration.ofMinutes(1);

    private final DriverUpgradePolicy spec;
    private final Optional<UpgradeStrategy> strategy;
    private final Optional<LabelSelector> jobs;
    private final Optional<LabelSelector> drained;
    private final RolloutPolicy policy;

    private UpgradeRules(DriverUpgradePolicy spec, Optional<UpgradeStrategy> strategy) {
        this.spec = spec;
        this.strategy = strategy;
        this.jobs = jobs();
        this.drained = Optional.ofNullable(spec.getDrain())
                .map(UpgradeDrain::getPodSelector)
                .map(text -> LabelSelector.parse(FIELD + "drain.podSelector", text));
        this.policy = rollout();
    }

    /**
     * Reads the policy.
     *
     * @throws IllegalArgumentException if a field of it has no meaning; the message names it
     */
    public static UpgradeRules read(DriverUpgradePolicy spec, Optional<UpgradeStrategy> strategy) {
        return new UpgradeRules(spec, strategy);
    }

    /** For the machine, with this target. */
    public RolloutPolicy policy(String target) {
        return policy.with().target(target).build();
    }

    /** Pods that are waited for; empty for none. */
    public Optional<LabelSelector> jobPods() {
        return jobs;
    }

    /** Whether a drain takes pods with these labels. */
    public boolean drains(Map<String, String> labels) {
        return drained.map(selector -> selector.matches(labels)).orElse(true);
    }

    /** Whether SRO replaces outdated driver pods. */
    public boolean autoUpgrade() {
        return policy.autoUpgrade();
    }

    /** Beginnings of the names of resources that make a pod a user of the device. */
    public List<String> resources() {
        return spec.getEvict() == null ? List.of() : spec.getEvict().getResources();
    }

    /** Whether resource claims make a pod a user of the device. */
    public boolean claimsCount() {
        return spec.getEvict() != null && Boolean.TRUE.equals(spec.getEvict().getResourceClaims());
    }

    /** Names of drivers whose allocated resource claims make a pod a user of the device. */
    public List<String> draDrivers() {
        return spec.getEvict() == null ? List.of() : spec.getEvict().getDraDrivers();
    }

    /** Ids of states that have to be ready on a node before it goes back to work. */
    public List<String> validateBefore() {
        return !spec.getValidateBefore().isEmpty()
                ? spec.getValidateBefore()
                : strategy.map(UpgradeStrategy::validateBefore).orElse(List.of());
    }

    /** Special resources that go first. */
    public List<String> after() {
        return spec.getAfter();
    }

    /** Label of nodes that are left out, beside the one that is named after the label with the state. */
    public Optional<String> skipLabel() {
        return strategy.flatMap(UpgradeStrategy::skipLabel);
    }

    /** The annotation by which a freshly booted driver waits for permission; empty when none has to. */
    public Optional<String> safeLoad(UpgradeKeys keys) {
        Optional<String> named = strategy.flatMap(UpgradeStrategy::safeLoadAnnotation);
        if (spec.getSafeLoad() == null) {
            return named;
        }
        return spec.getSafeLoad() ? Optional.of(named.orElseGet(keys::safeLoad)) : Optional.empty();
    }

    /** The operator that does cordon and drain; empty when SRO does. */
    public Optional<UpgradeMaintenance> maintenance() {
        if (spec.getMaintenance() != null) {
            return Optional.of(spec.getMaintenance());
        }
        return strategy.flatMap(UpgradeStrategy::delegateTo).map(kind -> {
            UpgradeMaintenance other = new UpgradeMaintenance();
            other.setKind(kind);
            return other;
        });
    }

    /** One of Never, WhenNeeded and Always. */
    public String reboots() {
        UpgradeReboot reboot = spec.getReboot();
        return reboot == null || reboot.getPolicy() == null ? "WhenNeeded" : reboot.getPolicy();
    }

    /** How SRO boots nodes itself; empty when others do. */
    public Optional<UpgradeReboot> rebooter() {
        return Optional.ofNullable(spec.getReboot()).filter(reboot -> "Pod".equals(reboot.getBy()));
    }

    /** The annotation that asks for a boot. */
    public String rebootAnnotation(UpgradeKeys keys) {
        UpgradeReboot reboot = spec.getReboot();
        String named = reboot == null ? null : reboot.getAnnotation();
        return named == null || named.isEmpty() ? keys.reboot() : named;
    }

    /** How resets of devices are ordered; empty when none is. */
    public Optional<DeviceResets> deviceResets() {
        return strategy.flatMap(UpgradeStrategy::deviceResets);
    }

    /** Whether the user says how often a node that failed is tried again. */
    public boolean saysRetries() {
        return spec.getRetries() != null;
    }

    private RolloutPolicy rollout() {
        RolloutPolicy.Builder builder = RolloutPolicy.builder()
                .target("")
                .autoUpgrade(Boolean.TRUE.equals(spec.getAutoUpgrade()))
                .paused(Boolean.TRUE.equals(spec.getPaused()))
                .resume(spec.getResume() == null ? "" : spec.getResume())
                .maxParallel(
                        spec.getMaxParallelUpgrades() != null
                                ? spec.getMaxParallelUpgrades()
                                : strategy.map(UpgradeStrategy::maxParallel).orElse(1))
                .maxUnavailable(share("maxUnavailable", spec.getMaxUnavailable())
                        .orElseGet(() -> NodeShare.parse(
                                "UpgradeStrategy.maxUnavailable",
                                strategy.map(UpgradeStrategy::maxUnavailable).orElse("25%"))))
                .waitForJobs(jobs.isPresent())
                .jobsTimeout(seconds(spec.getWaitForCompletion(), UpgradeWait::getTimeoutSeconds, Duration.ZERO))
                .podDeletion(podDeletion())
                .drain(drain())
                .externalMaintenance(maintenance().isPresent())
                .validation(!validateBefore().isEmpty())
                .manualCordon(manualCordon())
                .haltOnFailures(share("haltOnFailures", spec.getHaltOnFailures()))
                .automaticRollback(spec.getRollback() != null
                        && Boolean.TRUE.equals(spec.getRollback().getAutomatic()))
                .rollbackOf(Optional.ofNullable(spec.getRollback()).map(rollback -> rollback.getOf()))
                .retry(new RetryPolicy(
                        spec.getRetries() == null ? 0 : spec.getRetries(), BACKOFF, Duration.ofHours(1), true));
        UpgradeDeadlines deadlines = spec.getDeadlines();
        builder.driverTimeout(seconds(deadlines, UpgradeDeadlines::getRestartSeconds, Duration.ofMinutes(30)))
                .validationTimeout(seconds(deadlines, UpgradeDeadlines::getValidationSeconds, Duration.ofMinutes(10)))
                .rebootTimeout(seconds(deadlines, UpgradeDeadlines::getRebootSeconds, Duration.ofMinutes(30)))
                .resetTimeout(seconds(deadlines, UpgradeDeadlines::getResetSeconds, Duration.ofMinutes(30)))
                .maintenanceTimeout(seconds(deadlines, UpgradeDeadlines::getMaintenanceSeconds, Duration.ofHours(1)))
                .attemptTimeout(seconds(deadlines, UpgradeDeadlines::getAttemptSeconds, Duration.ofHours(2)));
        List<UpgradeWave> waves = spec.getWaves();
        for (int i = 0; i < waves.size(); i++) {
            builder.addWaves(wave("waves[" + i + "].", waves.get(i)));
        }
        List<UpgradeWindow> windows = spec.getMaintenanceWindows();
        for (int i = 0; i < windows.size(); i++) {
            builder.addWindows(window("maintenanceWindows[" + i + "].", windows.get(i)));
        }
        return builder.build();
    }

    private Optional<LabelSelector> jobs() {
        UpgradeWait wait = spec.getWaitForCompletion();
        String text = wait == null || wait.getPodSelector() == null ? "" : wait.getPodSelector();
        if (text.isEmpty()) {
            List<String> terms = new ArrayList<>();
            strategy.map(UpgradeStrategy::waitForPods)
                    .orElse(Map.of())
                    .forEach((key, value) -> terms.add(key + "=" + value));
            text = String.join(",", terms);
        }
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(LabelSelector.parse(FIELD + "waitForCompletion.podSelector", text));
    }

    private String evicts() {
        UpgradeEviction evict = spec.getEvict();
        if (evict != null && evict.getWho() != null) {
            return evict.getWho();
        }
        if (strategy.isEmpty() && !tellsUsers() && drains()) {
            // As nobody can be told to use the device, it is the drain that clears the node.
            return "Nobody";
        }
        return switch (strategy.map(UpgradeStrategy::evict).orElse(UpgradeStrategy.Evict.DEVICE_USERS)) {
            case NOBODY -> "Nobody";
            case DEVICE_USERS -> "DeviceUsers";
            case EVERYBODY -> "Everybody";
        };
    }

    /** Whether the special resource says by what a user of the device is known. */
    private boolean tellsUsers() {
        return claimsCount() || !resources().isEmpty() || !draDrivers().isEmpty();
    }

    private boolean drains() {
        UpgradeDrain how = spec.getDrain();
        return how != null && Boolean.TRUE.equals(how.getEnable());
    }

    private Duration drainTimeout() {
        return strategy.map(UpgradeStrategy::drainTimeout).orElse(DEFAULT_REMOVAL);
    }

    private Optional<PodRemoval> podDeletion() {
        UpgradePodDeletion how = spec.getPodDeletion();
        return evicts().equals("DeviceUsers")
                ? Optional.of(new PodRemoval(
                        how != null && Boolean.TRUE.equals(how.getForce()),
                        how != null && Boolean.TRUE.equals(how.getDeleteEmptyDir()),
                        seconds(how, UpgradePodDeletion::getTimeoutSeconds, drainTimeout())))
                : Optional.empty();
    }

    private Optional<PodRemoval> drain() {
        UpgradeDrain how = spec.getDrain();
        return evicts().equals("Everybody") || drains()
                ? Optional.of(new PodRemoval(
                        how != null && Boolean.TRUE.equals(how.getForce()),
                        how != null && Boolean.TRUE.equals(how.getDeleteEmptyDir()),
                        seconds(how, UpgradeDrain::getTimeoutSeconds, drainTimeout())))
                : Optional.empty();
    }

    private RolloutPolicy.ManualCordon manualCordon() {
        String said = spec.getManualCordon();
        return said == null
                ? RolloutPolicy.ManualCordon.COUNT
                : RolloutPolicy.ManualCordon.valueOf(said.toUpperCase(Locale.ROOT));
    }

    private static RolloutWave wave(String field, UpgradeWave wave) {
        return new RolloutWave(
                wave.getName() == null ? "" : wave.getName(),
                wave.getNodeSelector(),
                Duration.ofSeconds(wave.getSoakSeconds() == null ? 0 : wave.getSoakSeconds()),
                Boolean.TRUE.equals(wave.getPauseAfter()),
                share(field + "haltOnFailures", wave.getHaltOnFailures()));
    }

    private static MaintenanceWindow window(String field, UpgradeWindow window) {
        Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
        for (String day : window.getDays()) {
            days.add(List.of(DayOfWeek.values()).stream()
                    .filter(known -> known.name().startsWith(day.toUpperCase(Locale.ROOT)) && day.length() == 3)
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(FIELD + field + "days: \"" + day
                            + "\" is no day; write Mon, Tue, Wed, Thu, Fri, Sat or Sun")));
        }
        String zone = window.getTimeZone() == null ? "UTC" : window.getTimeZone();
        try {
            return new MaintenanceWindow(
                    days,
                    LocalTime.parse(String.valueOf(window.getStart())),
                    Duration.ofMinutes(window.getDurationMinutes() == null ? 0 : window.getDurationMinutes()),
                    ZoneId.of(zone),
                    window.getNodeSelector());
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    FIELD + field + "start, " + field + "timeZone: " + e.getMessage()
                            + "; write HH:MM and a name such as Europe/Berlin",
                    e);
        }
    }

    private static Optional<NodeShare> share(String field, @Nullable IntOrString value) {
        if (value == null) {
            return Optional.empty();
        }
        String text = value.getIntVal() != null ? value.getIntVal().toString() : String.valueOf(value.getStrVal());
        return Optional.of(NodeShare.parse(FIELD + field, text));
    }

    private static <T> Duration seconds(@Nullable T from, Function<T, @Nullable Integer> field, Duration otherwise) {
        Integer seconds = from == null ? null : field.apply(from);
        return seconds == null ? otherwise : Duration.ofSeconds(seconds);
    }
}

package dev.sro.core.allocation;

import dev.sro.core.allocation.ClaimDemand.Ask;
import dev.sro.core.allocation.ClaimDemand.Choice;
import dev.sro.core.allocation.ClaimDemand.Config;
import dev.sro.core.allocation.ClaimDemand.Rule;
import dev.sro.core.claim.DeviceMatch;
import io.fabric8.kubernetes.api.model.resource.v1.CapacityRequirements;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAllocationConfiguration;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAllocationConfigurationBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceConstraint;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelector;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSubRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration;
import io.fabric8.kubernetes.api.model.resource.v1.ExactDeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.OpaqueDeviceConfiguration;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads claims. Stateless but for what it was made with. */
public final class ClaimDemands {
    /** More than a node has of anything. */
    private static final long MOST = 256;

    private final String driver;
    private final Function<String, @Nullable DeviceClass> classes;

    /**
     * A reader.
     *
     * @param driver whose devices are given here
     * @param classes by name
     */
    public ClaimDemands(String driver, Function<String, @Nullable DeviceClass> classes) {
        this.driver = driver;
        this.classes = classes;
    }

    /** What a claim comes to. */
    public sealed interface Reading {
        /** It asks for our devices alone. */
        record Ours(ClaimDemand demand) implements Reading {}

        /** It asks for none of our devices. */
        record Others() implements Reading {}

        /** It cannot be served, and this is why: object, field and fix. */
        record Wrong(String fault) implements Reading {}
    }

    /** Reads a claim, whether it is allocated or not. */
    public Reading read(ResourceClaim claim) {
        String key =
                claim.getMetadata().getNamespace() + "/" + claim.getMetadata().getName();
        DeviceClaim devices = claim.getSpec() == null ? null : claim.getSpec().getDevices();
        if (devices == null || devices.getRequests().isEmpty()) {
            return new Reading.Others();
        }
        List<String> missing = new ArrayList<>();
        List<Ask> asks = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        for (int i = 0; i < devices.getRequests().size(); i++) {
            asks.add(ask(
                    devices.getRequests().get(i),
                    "claim " + key + ": spec.devices.requests[" + i + "]",
                    missing,
                    faults));
        }
        long ours = asks.stream()
                .flatMap(ask -> ask.choices().stream())
                .filter(this::ours)
                .count();
        long all = asks.stream().mapToLong(ask -> ask.choices().size()).sum();
        if (ours == 0 && missing.stream().noneMatch(name -> name.endsWith("." + driver))) {
            return new Reading.Others();
        }
        if (!missing.isEmpty()) {
            return new Reading.Wrong("claim " + key + ": DeviceClass " + missing.get(0)
                    + " does not exist: create it, or ask for another one");
        }
        if (ours < all) {
            return new Reading.Wrong("claim " + key + ": spec.devices.requests: asks for devices of " + driver
                    + " and for others: give the others a claim of their own");
        }
        List<Rule> rules = rules(devices, key, faults);
        if (!faults.isEmpty()) {
            return new Reading.Wrong(faults.get(0));
        }
        return new Reading.Ours(new ClaimDemand(claim.getMetadata().getUid(), key, asks, rules, config(devices, asks)));
    }

    /** Whether a choice is about our devices: its class or selectors name the driver. */
    private boolean ours(Choice choice) {
        return LimitClasses.ours(driver, choice.deviceClass(), choice.selectors());
    }

    private Ask ask(DeviceRequest request, String at, List<String> missing, List<String> faults) {
        List<Choice> choices = new ArrayList<>();
        ExactDeviceRequest exact = request.getExactly();
        if (exact != null) {
            if (Boolean.TRUE.equals(exact.getAdminAccess())) {
                faults.add(at + ".exactly.adminAccess: is not given by this allocator: leave it out");
            }
            check(exact.getAllocationMode(), exact.getCapacity(), exact.getCount(), at + ".exactly", faults);
            choices.add(choice(
                    request.getName(),
                    exact.getDeviceClassName(),
                    exact.getSelectors(),
                    exact.getCount(),
                    exact.getTolerations(),
                    missing));
        }
        for (DeviceSubRequest sub : request.getFirstAvailable()) {
            check(
                    sub.getAllocationMode(),
                    sub.getCapacity(),
                    sub.getCount(),
                    at + ".firstAvailable[" + choices.size() + "]",
                    faults);
            choices.add(choice(
                    request.getName() + "/" + sub.getName(),
                    sub.getDeviceClassName(),
                    sub.getSelectors(),
                    sub.getCount(),
                    sub.getTolerations(),
                    missing));
        }
        choices.forEach(choice -> new DeviceMatch(choice.selectors())
                .faults()
                .forEach(fault -> faults.add(at + ": " + fault + ": mend it")));
        return new Ask(request.getName(), choices);
    }

    private static void check(
            @Nullable String mode,
            @Nullable CapacityRequirements capacity,
            @Nullable Long count,
            String at,
            List<String> faults) {
        if (mode != null && !mode.isEmpty() && !mode.equals("ExactCount")) {
            faults.add(at + ".allocationMode: " + mode + " is not given by this allocator: ask for a count");
        }
        if (capacity != null
                && capacity.getRequests() != null
                && !capacity.getRequests().isEmpty()) {
            faults.add(at + ".capacity: devices are not shared: ask for a profile that is large enough");
        }
        if (count != null && (count < 1 || count > MOST)) {
            faults.add(at + ".count: " + count + " is not 1 to " + MOST);
        }
    }

    private Choice choice(
            String request,
            String className,
            List<DeviceSelector> own,
            @Nullable Long count,
            List<DeviceToleration> tolerations,
            List<String> missing) {
        DeviceClass found = classes.apply(className);
        List<String> selectors = new ArrayList<>();
        if (found == null) {
            missing.add(className);
        } else if (found.getSpec() != null) {
            add(selectors, found.getSpec().getSelectors());
        }
        add(selectors, own);
        return new Choice(request, className, selectors, count == null ? 1 : (int) Math.min(MOST, count), tolerations);
    }

    private static void add(List<String> selectors, List<DeviceSelector> more) {
        more.stream()
                .filter(selector -> selector.getCel() != null)
                .forEach(selector -> selectors.add(selector.getCel().getExpression()));
    }

    private static List<Rule> rules(DeviceClaim devices, String key, List<String> faults) {
        List<Rule> rules = new ArrayList<>();
        for (DeviceConstraint constraint : devices.getConstraints()) {
            boolean distinct = constraint.getMatchAttribute() == null;
            String attribute = distinct ? constraint.getDistinctAttribute() : constraint.getMatchAttribute();
            if (attribute == null) {
                faults.add("claim " + key + ": spec.devices.constraints[" + rules.size()
                        + "]: only matchAttribute and distinctAttribute are known here");
            } else {
                rules.add(new Rule(distinct, attribute, Set.copyOf(constraint.getRequests())));
            }
        }
        return rules;
    }

    /** Classes first, as the scheduler has it. */
    private List<Config> config(DeviceClaim devices, List<Ask> asks) {
        List<Config> config = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Ask ask : asks) {
            for (Choice choice : ask.choices()) {
                DeviceClass found = classes.apply(choice.deviceClass());
                if (found != null && found.getSpec() != null) {
                    found.getSpec().getConfig().stream()
                            .filter(each -> seen.add(choice.request() + each.hashCode()))
                            .forEach(each -> config.add(new Config(
                                    choice.request(),
                                    configuration(each.getOpaque(), "FromClass", List.of(choice.request())))));
                }
            }
        }
        devices.getConfig()
                .forEach(each ->
                        config.add(new Config("", configuration(each.getOpaque(), "FromClaim", each.getRequests()))));
        return config;
    }

    private static DeviceAllocationConfiguration configuration(
            @Nullable OpaqueDeviceConfiguration opaque, String source, List<String> requests) {
        return new DeviceAllocationConfigurationBuilder()
                .withSource(source)
                .withRequests(requests)
                .withOpaque(opaque)
                .build();
    }
}

package dev.sro.core.slicing.catalogue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Device models made from other device models. Stateless. */
final class Derivation {
    private Derivation() {}

    static DeviceModel discovered(DeviceModel model, List<DiscoveredProfile> reported) {
        Set<String> printed =
                reported.stream().map(DiscoveredProfile::name).collect(Collectors.toCollection(LinkedHashSet::new));
        List<SliceProfile> profiles = new ArrayList<>();
        for (DiscoveredProfile found : reported) {
            profiles.add(merge(find(model, found), found, printed));
        }
        int units = reported.stream()
                .flatMapToInt(found -> found.starts().stream().mapToInt(start -> start + found.size()))
                .max()
                .orElse(model.memoryUnits());
        Map<String, Integer> capacity = new HashMap<>(model.engineCapacity());
        reported.forEach(found -> found.engines().forEach((name, amount) -> capacity.merge(name, amount, Math::max)));
        return DeviceModel.builder()
                .from(model)
                .memoryUnits(units)
                .engineCapacity(capacity)
                .placementOrigin(PlacementOrigin.DISCOVERED)
                .placementsKnown(true)
                .profiles(profiles)
                .build();
    }

    private static Optional<SliceProfile> find(DeviceModel model, DiscoveredProfile found) {
        Optional<SliceProfile> byEnum = found.nvmlProfileEnum().isEmpty()
                ? Optional.empty()
                : model.profiles().stream()
                        .filter(profile -> profile.nvmlProfileEnum().equals(found.nvmlProfileEnum()))
                        .findFirst();
        return byEnum.or(() -> model.profile(found.name()));
    }

    private static SliceProfile merge(Optional<SliceProfile> known, DiscoveredProfile found, Set<String> printed) {
        SliceProfile.Builder builder = SliceProfile.builder();
        Set<String> aliases = new LinkedHashSet<>();
        known.ifPresent(profile -> {
            builder.from(profile);
            aliases.add(profile.name());
            aliases.addAll(profile.aliases());
            aliases.removeAll(printed);
        });
        if (!found.engines().isEmpty()) {
            builder.engines(found.engines());
        }
        found.nvmlProfileEnum().ifPresent(builder::nvmlProfileEnum);
        return builder.name(found.name())
                .aliases(aliases)
                .size(found.size())
                .starts(found.starts())
                .maxInstances(found.maxInstances())
                .build();
    }

    static Optional<DeviceModel> without(DeviceModel model, int blockedUnits, Map<String, Integer> engines) {
        if (blockedUnits >>> model.memoryUnits() != 0) {
            throw new IllegalArgumentException("device model " + model.key() + " has " + model.memoryUnits()
                    + " units, but 0x" + Integer.toHexString(blockedUnits) + " are said to be blocked");
        }
        Map<String, Integer> left = new HashMap<>();
        model.engineCapacity()
                .forEach((name, capacity) -> left.put(name, Math.max(0, capacity - engines.getOrDefault(name, 0))));
        List<SliceProfile> profiles = model.profiles().stream()
                .filter(profile -> profile.engines().entrySet().stream()
                        .allMatch(need -> need.getValue() <= left.getOrDefault(need.getKey(), 0)))
                .map(profile -> SliceProfile.builder()
                        .from(profile)
                        .starts(profile.starts().stream()
                                .filter(start -> (((1 << profile.size()) - 1) << start & blockedUnits) == 0)
                                .toList())
                        .build())
                .filter(profile -> !profile.starts().isEmpty())
                .toList();
        if (profiles.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(DeviceModel.builder()
                .from(model)
                .key(model.key() + suffix(blockedUnits, engines))
                .engineCapacity(left)
                .profiles(profiles)
                .build());
    }

    private static String suffix(int blockedUnits, Map<String, Integer> engines) {
        StringBuilder text = new StringBuilder(" without 0x").append(Integer.toHexString(blockedUnits));
        new TreeMap<>(engines).forEach((name, amount) -> text.append(amount == 0 ? "" : " " + amount + " " + name));
        return text.toString();
    }
}

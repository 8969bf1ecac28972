package dev.sro.core.slicing.simulate;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import dev.sro.core.slicing.pack.MixedDemand;
import dev.sro.core.slicing.pack.MixedPacker;
import dev.sro.core.slicing.pack.MixedPacking;
import dev.sro.core.slicing.policy.PlacementPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A fleet in which moving costs nothing: a slice fits if any arrangement of what runs on its model leaves room, and, where that is allowed, any
 * arrangement over all models that share profiles. Which model a slice comes to first is the policy's choice. Where the packer cannot say whether there is
 * an arrangement, there is one. Not thread-safe.
 */
final class Repacking implements MixedFleet.Slices {
    private final List<DeviceModel> models;
    private final int devices;
    private final PlacementPolicy policy;
    private final boolean across;
    private final List<Feasibility> feasibility = new ArrayList<>();
    /** By model and profile. */
    private final long[][] live;
    /** By model, those that share profiles with it, directly or not; itself too. */
    private final List<List<Integer>> connected;

    private final Map<String, String> profileOf = new HashMap<>();

    Repacking(MixedFleet fleet, PlacementPolicy policy, boolean across) {
        this.models = fleet.models();
        this.devices = fleet.devices();
        this.policy = policy;
        this.across = across;
        models.forEach(model -> feasibility.add(Feasibility.of(Geometry.of(model))));
        this.live =
                models.stream().map(model -> new long[model.profiles().size()]).toArray(long[][]::new);
        this.connected =
                IntStream.range(0, models.size()).mapToObj(this::connected).toList();
    }

    private List<Integer> connected(int from) {
        Set<Integer> found = new LinkedHashSet<>(List.of(from));
        for (boolean more = true; more; ) {
            more = false;
            for (int model = 0; model < models.size(); model++) {
                int each = model;
                more |= found.stream().anyMatch(other -> share(each, other)) && found.add(model);
            }
        }
        return found.stream().sorted().toList();
    }

    private boolean share(int one, int other) {
        return models.get(one).profiles().stream()
                .anyMatch(profile -> models.get(other).indexOf(profile.name()) >= 0);
    }

    @Override
    public boolean take(String claim, String profile) {
        int[] offering = IntStream.range(0, models.size())
                .filter(model -> models.get(model).indexOf(profile) >= 0)
                .boxed()
                .sorted(Comparator.comparingDouble(model -> cost(model, profile)))
                .mapToInt(Integer::intValue)
                .toArray();
        boolean taken = false;
        for (int i = 0; i < offering.length && !taken; i++) {
            int index = models.get(offering[i]).indexOf(profile);
            taken = feasibility.get(offering[i]).feasibleWithOneMore(live[offering[i]], index, devices);
            live[offering[i]][index] += taken ? 1 : 0;
        }
        if (!taken && across && connected.get(offering[0]).size() > 1) {
            taken = rearrange(connected.get(offering[0]), profile);
        }
        if (taken) {
            profileOf.put(claim, profile);
        }
        return taken;
    }

    private double cost(int model, String profile) {
        DeviceModel offering = models.get(model);
        SliceProfile offered = offering.profiles().get(offering.indexOf(profile));
        long used = 0;
        for (int i = 0; i < live[model].length; i++) {
            used += live[model][i] * offering.profiles().get(i).size();
        }
        double free = 1 - (double) used / ((long) devices * offering.memoryUnits());
        return policy.modelCost((double) offered.size() / offering.memoryUnits(), free);
    }

    /** Packs everything that runs on these models, and one slice more, anew; false, and no change, if it is proved not to fit. */
    private boolean rearrange(List<Integer> group, String more) {
        Map<String, Long> counts = new HashMap<>();
        counts.put(more, 1L);
        MixedPacker.Builder builder = MixedPacker.builder();
        for (int model : group) {
            builder.add(feasibility.get(model), 1, devices);
            for (int i = 0; i < live[model].length; i++) {
                if (live[model][i] > 0) {
                    counts.merge(models.get(model).profiles().get(i).name(), live[model][i], Long::sum);
                }
            }
        }
        MixedPacker packer = builder.build();
        List<String> names = counts.keySet().stream().sorted().toList();
        List<MixedDemand> demands = names.stream()
                .map(name -> packer.demand(counts.getOrDefault(name, 0L), name))
                .toList();
        MixedPacking packing = packer.pack(demands);
        if (!packing.found()) {
            return false;
        }
        for (int at = 0; at < group.size(); at++) {
            int model = group.get(at);
            for (int j = 0; j < names.size(); j++) {
                int index = models.get(model).indexOf(names.get(j));
                if (index >= 0) {
                    live[model][index] = packing.shares().get(j).get(at);
                }
            }
        }
        return true;
    }

    /** From any model that carries such a slice: which one it was means nothing where all may be moved. */
    @Override
    public void release(String claim) {
        String profile = profileOf.remove(claim);
        for (int model = 0; profile != null && model < models.size(); model++) {
            int index = models.get(model).indexOf(profile);
            if (index >= 0 && live[model][index] > 0) {
                live[model][index]--;
                return;
            }
        }
        throw new IllegalStateException("claim " + claim + " is not held");
    }
}

package dev.sro.core.slicing.mig;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.input.Suggestions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The GPU instances that an entry asks for on one device, compute instances such as {@code 1c.3g.40gb} gathered in as few GPU
 * instances as hold them.
 */
final class RequestedInstances {
    private static final Pattern COMPUTE = Pattern.compile("([0-9]+)c\\.(.+)");

    private final DeviceModel model;
    private final int[] whole;
    /** By profile, the compute slices of each compute instance asked for. */
    private final List<List<Integer>> compute = new ArrayList<>();

    private boolean valid = true;

    RequestedInstances(DeviceModel model) {
        this.model = model;
        this.whole = new int[model.profiles().size()];
        model.profiles().forEach(profile -> compute.add(new ArrayList<>()));
    }

    /** Takes note; a message if the device has no such thing. */
    Optional<String> add(String name, int count) {
        Matcher part = COMPUTE.matcher(name);
        boolean divided = part.matches();
        int index = model.indexOf(divided ? part.group(2) : name);
        if (index < 0) {
            valid = false;
            List<String> known =
                    model.profiles().stream().map(SliceProfile::name).toList();
            return Optional.of(model.key() + " has no profile " + name + Suggestions.hint(name, known));
        }
        int slices = model.profiles().get(index).computeSlices();
        int own = divided ? Integer.parseInt(part.group(1)) : slices;
        if (own > slices) {
            valid = false;
            return Optional.of(name + ": a " + part.group(2) + " has only " + slices + " compute slices");
        }
        if (count > DeviceModel.MAX_PLACEMENTS) {
            valid = false;
            return Optional.of(name + ": " + count + " are more than any device carries");
        }
        if (own == slices) {
            whole[index] += count;
        } else {
            compute.get(index).addAll(Collections.nCopies(count, own));
        }
        return Optional.empty();
    }

    boolean valid() {
        return valid;
    }

    int[] counts() {
        int[] counts = whole.clone();
        for (int i = 0; i < counts.length; i++) {
            counts[i] += divided(i).size();
        }
        return counts;
    }

    /** The compute instances of each GPU instance: first fit, large ones first. */
    private List<List<Integer>> divided(int profile) {
        int slices = model.profiles().get(profile).computeSlices();
        List<List<Integer>> instances = new ArrayList<>();
        for (int own :
                compute.get(profile).stream().sorted(Comparator.reverseOrder()).toList()) {
            Optional<List<Integer>> room = instances.stream()
                    .filter(inside ->
                            inside.stream().mapToInt(Integer::intValue).sum() + own <= slices)
                    .findFirst();
            if (room.isPresent()) {
                room.get().add(own);
            } else {
                instances.add(new ArrayList<>(List.of(own)));
            }
        }
        return instances;
    }

    List<MigInstance> place(Geometry geometry, int layout) {
        List<List<List<Integer>>> left = new ArrayList<>();
        for (int i = 0; i < whole.length; i++) {
            left.add(new ArrayList<>(divided(i)));
        }
        List<MigInstance> instances = new ArrayList<>();
        for (int placement : OneDevice.inOrderOfCreation(geometry, geometry.placementsOf(layout))) {
            int profile = geometry.profileOf(placement);
            List<List<Integer>> own = left.get(profile);
            instances.add(new MigInstance(
                    geometry.profile(profile).name(),
                    geometry.startOf(placement),
                    geometry.sizeOf(profile),
                    own.isEmpty() ? List.of() : own.remove(0)));
        }
        return instances;
    }
}

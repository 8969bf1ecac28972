package dev.sro.core.slicing;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.core.slicing.catalogue.UnknownModelException;
import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.input.InputField;
import dev.sro.core.slicing.input.InputObject;
import dev.sro.core.slicing.input.Suggestions;
import dev.sro.core.slicing.policy.PlacementPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a fleet file. What a person leaves out is filled in: {@code count} makes several devices of one entry, and an instance without
 * a claim is called after its place.
 */
final class SnapshotReader {
    static final String[] FIELDS = {"schema", "stateHash", "devices"};
    static final String[] DEVICE_FIELDS = {
        "name", "model", "count", "node", "topologyGroup", "labels", "cordoned", "instances"
    };
    static final String[] INSTANCE_FIELDS = {
        "claim", "profile", "start", "foreign", "pinned", "disruptionCost", "reservedUntil"
    };

    private static final int MOST_DEVICES = 1_000_000;

    private final Catalogue catalogue;
    private final SliceAllocator allocator;
    private final Map<String, Optional<DeviceModel>> models = new HashMap<>();
    private final Map<String, Integer> lines = new HashMap<>();

    private SnapshotReader(Catalogue catalogue, PlacementPolicy policy) {
        this.catalogue = catalogue;
        this.allocator = SliceAllocator.create(policy);
    }

    static SliceAllocator read(InputDocument document, Catalogue catalogue, PlacementPolicy policy) {
        SnapshotReader reader = new SnapshotReader(catalogue, policy);
        InputObject file = document.root().object(FIELDS);
        file.get("schema").ifPresent(field -> field.mustBe(SliceSnapshot.SCHEMA));
        file.required("devices").map(InputField::list).orElse(List.of()).forEach(reader::device);
        document.check();
        file.get("stateHash").ifPresent(reader::compare);
        document.check();
        return reader.allocator;
    }

    private void compare(InputField field) {
        String found = SnapshotWriter.hash(allocator.snapshot());
        if (!field.string().equals(found)) {
            field.error("is not that of the devices and instances listed (" + found + "): the file was changed, or the"
                    + " catalogue was; leave stateHash out to read it as it is");
        }
    }

    private void device(InputField entry) {
        InputObject fields = entry.object(DEVICE_FIELDS);
        String name = fields.string("name");
        SliceDevice.Builder device = SliceDevice.builder()
                .node(fields.string("node", ""))
                .topologyGroup(fields.string("topologyGroup", ""))
                .labels(fields.texts("labels"))
                .cordoned(fields.bool("cordoned", false));
        List<InputField> instances = fields.list("instances");
        Optional<DeviceModel> model = fields.required("model").flatMap(this::model);
        int count = fields.integer("count", 1);
        if (count < 1 || (long) count + lines.size() > MOST_DEVICES) {
            fields.get("count").orElse(entry).error("a fleet has between 1 and " + MOST_DEVICES + " devices");
        }
        if (model.isEmpty() || name.isBlank() || count < 1 || (long) count + lines.size() > MOST_DEVICES) {
            return;
        }
        boolean many = fields.get("count").isPresent();
        // What is wrong with an entry is wrong with all of its copies, and is said once.
        for (int i = 0; i < count && (i == 0 || !entry.hasError()); i++) {
            String id = many ? name + "-" + i : name;
            Integer before = lines.putIfAbsent(id, entry.line());
            if (before != null) {
                fields.get("name")
                        .orElse(entry)
                        .error("there is a device " + id + " in line " + before + "; every device needs its own name");
                return;
            }
            allocator.addDevice(device.id(id).model(model.get()).build());
            for (InputField instance : instances) {
                instance(id, model.get(), instance, many ? "-" + i : "");
            }
        }
    }

    private Optional<DeviceModel> model(InputField field) {
        String name = field.string();
        try {
            return models.computeIfAbsent(name, this::find);
        } catch (UnknownModelException e) {
            field.error(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private Optional<DeviceModel> find(String name) {
        return Optional.of(catalogue.resolve(name));
    }

    private void instance(String device, DeviceModel model, InputField entry, String suffix) {
        InputObject fields = entry.object(INSTANCE_FIELDS);
        Optional<SliceProfile> profile = fields.required("profile").flatMap(field -> profile(model, field));
        int start = fields.integer("start");
        int cost = fields.integer("disruptionCost", 1);
        if (cost < 1) {
            fields.get("disruptionCost").ifPresent(field -> field.error(cost + " is not positive"));
        }
        String claim = fields.string("claim", "");
        SliceClaim.Builder built = SliceClaim.builder()
                .device(device)
                .start(start)
                .foreign(fields.bool("foreign", false))
                .pinned(fields.bool("pinned", false))
                .disruptionCost(cost)
                .reservedUntil(fields.get("reservedUntil").flatMap(InputField::instant));
        if (profile.isEmpty() || cost < 1 || entry.hasError()) {
            return;
        }
        String place = device + "/" + profile.get().name() + "@" + start;
        try {
            allocator.adopt(built.id(claim.isEmpty() ? place : claim + suffix)
                    .profile(profile.get().name())
                    .build());
        } catch (SliceException e) {
            InputField wrong = fields.get(e.code() == SliceException.Code.DUPLICATE_CLAIM ? "claim" : "start")
                    .orElse(entry);
            wrong.error(String.valueOf(e.getMessage()));
        }
    }

    private static Optional<SliceProfile> profile(DeviceModel model, InputField field) {
        Optional<SliceProfile> found = model.profile(field.string());
        if (found.isEmpty()) {
            List<String> known =
                    model.profiles().stream().map(SliceProfile::name).toList();
            field.error(model.key() + " has no profile " + field.string() + Suggestions.hint(field.string(), known));
        }
        return found;
    }
}
